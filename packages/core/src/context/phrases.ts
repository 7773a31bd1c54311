/**
 * What a prompt is about, as far as its words tell. `changes`: it speaks of changes that were made. `diffs`: it wants to see
 * them. `git`: it speaks of what is staged or not committed, or names git's diff. `openFiles`: it means the files that are
 * open. `code`: it wants to understand or to find a fault. `edit`: it wants something done to files. `failure`: it says that
 * a build or test fails.
 */
export type Wish = 'changes' | 'diffs' | 'git' | 'openFiles' | 'code' | 'edit' | 'failure';

/*
 * How people say what they want, by language. Everything here is lower case and without accents, as `normalized` leaves it:
 * German umlauts have lost their dots, й is и. A pattern is a regular expression; `<` and `>` at its ends stand for where a
 * word begins and ends, also of scripts that `\b` does not know.
 */
export type Phrases = { readonly [Name in Wish]?: readonly string[] };

const ENGLISH: Phrases = {
  changes: [
    '<(?<!(?:make|apply|implement|perform|do|need|want) (?:all )?)(?:my|our|your|these|those|recent|latest|last|local|pending|current)(?: \\w+){0,2} (?:changes|edits|modifications|diffs?|patch(?:es)?)>',
    '<(?:review|explain|summari[sz]e|describe|check|show|list|see|revert|undo|about|commit|look at|go over|walk through|what are)(?: me)? (?:all )?the (?:\\w+ )?(?:changes|edits|modifications)>',
    '<the (?:changes|edits|modifications) (?:i|we|you|so far|since|in (?:this|the|my) (?:branch|repo|working))>',
    "<what(?:'ve| did| have| has| all did)? (?:i|we|you|he|she|they|anyone|somebody|someone)(?: \\w+)? (?:change|edit|touch|modif|break|broke)",
    "<what(?:'s| is| has| have| was| got)?(?: been)? (?:changed|different now|new here)>",
    "<(?:i|we)(?:'ve| have| had)?(?: just| already| also| only)? (?:changed|edited|modified|touched|tweaked|refactored|reworked)>",
    '<commit message>',
    '<(?:review|look over|check) my (?:code|work|branch|pr|pull request)>',
  ],
  diffs: [
    '<diffs?>(?! (?:works?|algorithm|library|tool))',
    '<what (?:did|have) (?:i|we|you)(?: \\w+)? (?:change|edit|touch|modif)',
    "<what(?:'s| is| has| have)?(?: been)? changed>",
    '<(?:show|list|explain|review|summari[sz]e|describe|see|go over|walk through)(?: me)? (?:all )?(?:my|our|your|the|these|those)(?: \\w+)? (?:changes|edits|modifications|patch(?:es)?)>',
    '<commit message>',
    '<(?:review|look over|check) my (?:code|work|branch|pr|pull request)>',
  ],
  git: [
    '<uncommitted>|<unstaged>|<untracked>',
    '<staged (?:changes?|files?|edits?|diff|hunks?)>|<(?:is|are) staged>|<what i (?:have )?staged>',
    '<working (?:tree|copy|directory) (?:changes|diff|state)>|<in (?:my|the) working (?:tree|copy|directory)>',
    '<not (?:yet )?committed>|<since (?:the |my )?last commit>|<against head>',
  ],
  openFiles: [
    '<open(?:ed)? files?>|<files? (?:that )?(?:i|we) have open>|<current (?:file|context)>|<(?:this|these) files?>|<what is open>',
  ],
  code: [
    "<(?:explain|understand|debug|trace|investigate|analy[sz]e|how (?:does|do|is|are|can)|why (?:is|does|do|are|did|isn't|doesn't|won't)|what (?:does|do)|where (?:is|are|does|do)|find out)>",
    '<(?:bugs?|errors?|crash(?:es|ed)?|exceptions?|stack ?traces?|tracebacks?|broken|fails?|failing|failed|regression|segfault|deadlock|race)>',
  ],
  edit: [
    "(?:^|[.!?,;:\\n]\\s*|<(?:please|you|let's|lets|and|then|we should|we need to|i want to|i need to|want you to|now|to) )(?:add|implement|write|change|rename|refactor|fix|remove|delete|update|replace|move|extract|create|make|rewrite|convert|migrate|insert|edit|modify|split|inline|simplify|clean up|port|bump|patch)>",
  ],
  failure: [
    '<(?:build|tests?|ci|pipeline|compil\\w+|type ?check\\w*|lint\\w*|suite|specs?)>.{0,40}<(?:fail\\w*|broke\\w*|red|error\\w*|crash\\w*)>',
    '<(?:fail\\w*|broken?|red|breaks?)>.{0,20}<(?:build|tests?|ci|suite|compil\\w+)>',
    "<(?:won't|doesn't|does not|cannot|can't|no longer) (?:build|compile|typecheck)s?>",
  ],
};

const GERMAN: Phrases = {
  changes: [
    '<(?:meine|unsere|deine|eure|diese|letzten?|aktuellen?|lokalen?|jungsten?)[nrms]?(?: \\w+)? (?:anderungen|anpassungen|bearbeitungen|diffs?)>',
    '<(?:zeige?|erklare?|prufe?|fasse?|beschreibe?|liste|reviewe?|begutachte?|verwirf|committe)(?: mir)? (?:bitte )?(?:mal )?(?:alle |die )+(?:\\w+ )?anderungen>',
    '<was (?:habe ich|hab ich|haben wir|hast du|wurde|hat sich|ist)>.{0,40}<(?:geandert|verandert|angepasst|bearbeitet|umgebaut|angefasst|anders)>',
    '<(?:ich|wir) hab(?:e|en)?>.{0,40}<(?:geandert|verandert|angepasst|bearbeitet|umgebaut|angefasst)>',
    '<commit[- ]?(?:nachricht|message|text)>',
  ],
  diffs: [
    '<diffs?>',
    '<was (?:habe ich|hab ich|haben wir|hast du|wurde|hat sich)>.{0,40}<(?:geandert|verandert|angepasst|bearbeitet)>',
    '<(?:zeige?|erklare?|prufe?|fasse?|beschreibe?|liste|reviewe?)>.{0,20}<anderungen>',
    '<commit[- ]?(?:nachricht|message|text)>',
  ],
  git: [
    '<(?:nicht|noch nicht|un)[ -]?(?:commit\\w*|eingecheckt\\w*|versioniert\\w*)>|<gestaged?\\w*>|<unstaged>|<vorgemerkte[nr]? anderungen>|<arbeitsverzeichnis>',
  ],
  openFiles: ['<(?:geoffnete|offene)[nr]? dateien?>|<diese[rnm]? dateien?>|<aktuelle[nr]? (?:datei|kontext)>'],
  code: [
    '<(?:erklare?|versteh\\w*|warum|wieso|weshalb|wie (?:funktioniert|geht|wird|kann)|was (?:macht|tut|bedeutet)|wo (?:ist|wird|steht)|debugge?n?|untersuche?)>',
    '<(?:fehler\\w*|absturz|sturzt|kaputt|geht nicht|funktioniert nicht|bugs?|exception)>',
  ],
  edit: [
    '<(?:fuge?|andere|implementiere?|schreibe?|benenne?|ersetze?|entferne?|losche?|erstelle?|baue?|behebe?|repariere?|verschiebe?|refaktoriere?|refactore?|aktualisiere?|korrigiere?|erganze?|mach)> (?=\\S)',
  ],
  failure: [
    '<(?:builds?|tests?|kompil\\w*|pipeline|ubersetz\\w*)>.{0,40}<(?:schlagt|schlagen|fehlgeschlagen|fehl|kaputt|rot|bricht|brechen|fehler\\w*)>',
    '<(?:kompiliert|baut|ubersetzt) (?:nicht|nicht mehr)>',
  ],
};

const FRENCH: Phrases = {
  changes: [
    '<(?:mes|nos|tes|vos|ces|dernieres|derniers)(?: \\w+)? (?:changements?|modifications?|modifs?|editions?|diffs?)>',
    '<(?:montre|explique|resume|decris|verifie|liste|relis|annule|commite)[srz]?(?:-moi)? (?:toutes |tous )?les (?:changements?|modifications?|modifs?)>',
    "<(?:j'ai|on a|nous avons|tu as|vous avez)(?: tout| juste| deja)? (?:change|modifie|edite|touche|retouche)[es]?>",
    "<ce qui a (?:change|ete modifie)>|<qu(?:'est-ce que|e|oi)>.{0,12}<(?:j'ai|ai-je|on a|a) (?:change|modifie|touche)>",
    '<message de commit>',
  ],
  diffs: [
    '<diffs?>',
    "<(?:j'ai|ai-je|on a|tu as|as-tu|ce qui a) (?:change|modifie)>",
    '<(?:montre|explique|resume|decris|verifie|liste|relis)[srz]?(?:-moi)?>.{0,15}<(?:changements?|modifications?|modifs?)>',
    '<message de commit>',
  ],
  git: [
    '<(?:non|pas(?: encore)?) commit\\w*>|<(?:changements|modifications|fichiers) indexe\\w*>|<(?:copie|arbre) de travail>|<unstaged>|<(?:cambios|modifiche|modifications|changements|alteracoes) staged>',
  ],
  openFiles: ['<fichiers? (?:deja )?ouverts?>|<(?:ce|ces) fichiers?>|<(?:contexte|fichier) (?:actuel|courant)>'],
  code: [
    '<(?:explique|comprendre|comprends|pourquoi|comment (?:fonctionne|marche|est|fait)|que fait|a quoi sert|ou (?:est|se trouve)|debogue\\w*|debug\\w*)',
    '<(?:bugs?|erreurs?|plante\\w*|exceptions?|casse|ne (?:marche|fonctionne) (?:pas|plus))>',
  ],
  edit: [
    "<(?:ajoute|implemente|ecris|change|renomme|refactorise|corrige|supprime|enleve|remplace|deplace|extrais|cree|reecris|modifie|mets a jour)[sz]?(?:-\\w+)?> (?:le|la|les|l'|un|une|des|du|ce|cet|cette|ces|a|dans|le|moi|tout)",
  ],
  failure: [
    '<(?:build|tests?|compilation|pipeline)>.{0,40}<(?:echou\\w*|plante\\w*|casse\\w*|erreurs?|rouges?)>',
    "<ne (?:compile|build) (?:pas|plus)>|<(?:n'arrive|arrive) (?:pas|plus) a compiler>",
  ],
};

const SPANISH: Phrases = {
  changes: [
    '<(?<!(?:haz|realiza|aplica|hacer|aplicar|realizar) (?:todos )?(?:los )?)(?:mis|nuestros|nuestras|tus|sus|estos|estas|ultimos|ultimas|recientes)(?: \\w+)? (?:cambios|modificaciones|ediciones)>',
    '<(?:muestra(?:me)?|explica(?:me)?|resume|describe|revisa|lista|ensena(?:me)?|deshaz) (?:todos )?(?:los|las) (?:cambios|modificaciones)>',
    '<(?:he|hemos|has|ha)(?: \\w+)? (?:cambiado|modificado|editado|tocado)>',
    '(?:^|[¿?.!,;:]\\s*)(?:lo )?que (?:cambie|modifique|edite|toque|cambio|cambiaste|cambiamos)>|<lo que (?:cambie|modifique|edite)>',
    '<mensaje (?:de|para el) commit>',
  ],
  diffs: [
    '<diffs?>',
    '<que (?:he|hemos|has|ha) (?:cambiado|modificado|tocado)>|(?:^|[¿?.!,;:]\\s*)que (?:cambie|modifique|cambio)>',
    '<(?:muestra|explica|resume|describe|revisa|lista|ensena)\\w*>.{0,15}<(?:cambios|modificaciones)>',
    '<mensaje (?:de|para el) commit>',
  ],
  git: [
    '<sin (?:commit\\w*|confirmar|hacer commit)>|<no (?:commitead\\w*|confirmad\\w*)>|<unstaged>|<(?:cambios|modifiche|modifications|changements|alteracoes) staged>|<(?:arbol|copia|directorio) de trabajo>',
  ],
  openFiles: [
    '<(?:archivos?|ficheros?) abiertos?>|<est(?:e|os) (?:archivos?|ficheros?)>|<(?:contexto|archivo|fichero) actual>',
  ],
  code: [
    '<(?:explica\\w*|entender|entiendo|por que|como (?:funciona|se|esta)|que hace|donde (?:esta|se)|depura\\w*|investiga)>',
    '<(?:bugs?|errores|error|falla\\w*|excepcion\\w*|roto|rota|no funciona)>',
  ],
  edit: [
    '<(?:anade|agrega|implementa|escribe|cambia|renombra|refactoriza|corrige|arregla|elimina|borra|quita|reemplaza|mueve|extrae|crea|reescribe|modifica|actualiza)(?:r|me|lo|la)?> (?=\\S)',
  ],
  failure: [
    '<(?:build|tests?|pruebas?|compilacion|pipeline)>.{0,40}<(?:falla\\w*|fallan\\w*|rot[oa]s?|error\\w*)>|<(?:falla\\w*)>.{0,20}<(?:tests?|pruebas?|build|compilacion)>',
    '<no (?:compila|construye)>',
  ],
};

const PORTUGUESE: Phrases = {
  changes: [
    '<(?<!(?:faca|aplique|fazer|aplicar) (?:todas )?(?:as )?)(?:minhas|nossas|suas|tuas|essas|estas|ultimas|recentes)(?: \\w+)? (?:alteracoes|mudancas|modificacoes|edicoes)>',
    '<(?:mostr[ea](?:-me)?|expli(?:que|ca)|resum[ae]|descrev[ae]|revis[ae]|list[ae]|desfaca) (?:todas )?as (?:alteracoes|mudancas|modificacoes)>',
    '<(?:eu |ja |o que |acabei de )*(?:mudei|alterei|modifiquei|editei|mexi|mudamos|alteramos)>|<o que mudou>',
    '<mensagem (?:de|do|para o) commit>',
  ],
  diffs: [
    '<diffs?>',
    '<o que (?:eu |nos )?(?:mudei|alterei|modifiquei|editei|mudou|mudamos)>',
    '<(?:mostr|expli|resum|descrev|revis|list)\\w*>.{0,15}<(?:alteracoes|mudancas|modificacoes)>',
    '<mensagem (?:de|do|para o) commit>',
  ],
  git: [
    '<(?:nao|sem) (?:commit\\w*|confirmad\\w*)>|<unstaged>|<(?:cambios|modifiche|modifications|changements|alteracoes) staged>|<(?:arvore|copia|diretorio) de trabalho>',
  ],
  openFiles: [
    '<(?:arquivos?|ficheiros?) abertos?>|<(?:este|esses|estes|esse) (?:arquivos?|ficheiros?)>|<(?:contexto|arquivo|ficheiro) atual>',
  ],
  code: [
    '<(?:explique|explica|entender|entendo|por que|porque|como (?:funciona|esta|se)|o que (?:faz|e)|onde (?:esta|fica)|depur\\w*|investigu\\w*)>',
    '<(?:bugs?|erros?|falha\\w*|excecao|excecoes|quebrad[oa]|nao funciona)>',
  ],
  edit: [
    '<(?:adicion[ae]|implement[ae]|escreva|escreve|mude|altere|renomei[ae]|refator[ae]|corrij[ae]|conserte|remov[ae]|apague|substitu[ai]|mov[ae]|extrai[a]?|cri[ae]|reescrev[ae]|modifique|atualize)> (?=\\S)',
  ],
  failure: [
    '<(?:build|testes?|compilacao|pipeline)>.{0,40}<(?:falh\\w*|quebr\\w*|erros?)>',
    '<nao (?:compila|builda)>',
  ],
};

const ITALIAN: Phrases = {
  changes: [
    '<(?:mie|miei|nostre|nostri|tue|tuoi|queste|questi|ultime|ultimi|recenti)(?: \\w+)? (?:modifiche|cambiamenti|cambi|edit)>',
    '<(?:mostra(?:mi)?|spiega(?:mi)?|riassumi|descrivi|controlla|rivedi|elenca|annulla) (?:tutte )?(?:le|i) (?:modifiche|cambiamenti)>',
    "<(?:ho|abbiamo|hai)(?: \\w+)? (?:cambiato|modificato|toccato|editato|ritoccato)>|<(?:cosa|che cosa) (?:e|e stato|e') (?:cambiato|modificato)>",
    '<messaggio (?:di|del|per il) commit>',
  ],
  diffs: [
    '<diffs?>',
    '<cosa (?:ho|abbiamo|hai|e|e stato) (?:cambiato|modificato|toccato)>',
    '<(?:mostra|spiega|riassumi|descrivi|controlla|rivedi|elenca)\\w*>.{0,15}<(?:modifiche|cambiamenti)>',
    '<messaggio (?:di|del|per il) commit>',
  ],
  git: [
    '<(?:non|non ancora|senza) commit\\w*>|<unstaged>|<(?:cambios|modifiche|modifications|changements|alteracoes) staged>|<(?:albero|copia|directory) di lavoro>',
  ],
  openFiles: ['<file aperti>|<quest[oi] file>|<(?:contesto|file) (?:attuale|corrente)>'],
  code: [
    "<(?:spiega\\w*|capire|capisco|perche|come (?:funziona|si|viene)|cosa fa|dov'e|dove (?:si|sta)|debug\\w*|indaga)>",
    '<(?:bug|errori|errore|eccezion\\w*|rotto|rotta|non funziona|si blocca)>',
  ],
  edit: [
    '<(?:aggiungi|implementa|scrivi|cambia|rinomina|rifattorizza|correggi|sistema|rimuovi|elimina|cancella|sostituisci|sposta|estrai|crea|riscrivi|modifica|aggiorna)> (?=\\S)',
  ],
  failure: [
    '<(?:build|test|compilazione|pipeline)>.{0,40}<(?:fallis\\w*|fallit\\w*|rott[oa]|error\\w*)>',
    '<non compila(?: piu)?>',
  ],
};

const RUSSIAN: Phrases = {
  changes: [
    '<(?:мои|моих|моими|наши|наших|твои|ваши|эти|этих|последние|последних|текущие|недавние)(?: [^ ]+)? (?:изменени|правк|диф)',
    '<(?:покажи|объясни|опиши|проверь|перечисли|откати)(?:те)?(?: мне)?(?: все)? (?:изменения|правки)>',
    '<что (?:я|мы|ты|вы)(?: [^ ]+){0,3} (?:изменил|поменял|менял|правил|поправил|отредактировал|тронул)',
    '<что (?:изменилось|поменялось|было изменено)>|<(?:я|мы)(?: [^ ]+){0,2} (?:изменил|поменял|поправил|отредактировал|переписал)',
    '<сообщени[ея] (?:для |к )?коммита?|<описание коммита>|<commit message>',
  ],
  diffs: [
    '<дифф?[аыу]?>|<diff>',
    '<что (?:я|мы|ты|вы)?(?: [^ ]+){0,3} ?(?:изменил|поменял|изменилось|поменялось)',
    '<(?:покажи|объясни|опиши|проверь|перечисли)(?:те)?>.{0,20}<(?:изменения|правки)>',
    '<сообщени[ея] (?:для |к )?коммита?',
  ],
  git: [
    '<не ?закоммичен|<не ?проиндексирован|<проиндексирован|<рабоч(?:ем|ее|ая|ую|ей|еи) (?:дерев|копи|каталог)|<в staged>',
  ],
  openFiles: ['<открыт[^ ]* фаил|<эт(?:от|ом|ого|и|их) фаил|<текущ[^ ]* (?:фаил|контекст)'],
  code: [
    '<(?:объясни|понять|почему|зачем|как (?:работает|это|устроен)|что делает|где (?:находится|это)|отлад|разберись)',
    '<(?:баг|ошибк|падает|падают|упал|сломал|исключени|не работает)',
  ],
  edit: [
    '<(?:добавь|реализуи|напиши|измени|поменяи|переименуи|отрефактори|исправь|почини|удали|убери|замени|перенеси|создаи|перепиши|обнови|сделаи)(?:те)?>',
  ],
  failure: [
    '<(?:сборк|тест|билд|build|пайплаин|компиляци)[^ ]*.{0,40}(?:пада|упал|слома|не проход|ошибк|провал|красн)',
    '<не (?:собирается|компилируется|билдится)>',
  ],
};

const CHINESE: Phrases = {
  changes: [
    '我们?(?:的|刚才的|刚刚的|最近的|做的|所做的|之前的|今天的).{0,4}(?:改动|更改|修改|变更)',
    '(?:最近|刚才|刚刚|当前|本地|这些|上次|你)的?(?:改动|更改|变更|修改(?:内容)?)(?!成|为)',
    '我们?(?:刚刚?|刚才|最近|都|已经|之前|今天)?.{0,3}(?:改|修改|更改|变更|动)了',
    '(?:改|修改|更改|变更|变|动)了(?:什么|哪些|些什么|啥|哪里)|有(?:什么|哪些)(?:改动|变化|变更)',
    '提交(?:信息|说明|消息|记录怎么写)',
  ],
  diffs: [
    'diff|差异|对比',
    '(?:改|修改|更改|变更|变|动)了(?:什么|哪些|些什么|啥|哪里)',
    '(?:看看?|显示|列出|解释|总结|检查|审查|说明).{0,8}(?:改动|更改|变更|修改)',
    '提交(?:信息|说明|消息)',
  ],
  git: ['(?:未|没有?|还没)提交|未暂存|暂存(?:区|的)|工作区|工作树'],
  openFiles: ['(?:已?打开的|这个|这些|当前)文件|当前上下文'],
  code: [
    '解释|为什么|怎么(?:工作|实现|回事|会)|如何(?:工作|实现)|是什么意思|什么作用|在哪里?|调试|排查|理解',
    '错误|报错|崩溃|异常|缺陷|坏了|不工作|bug',
  ],
  edit: [
    '(?:请|帮我|帮忙|把|给|需要|接下来).{0,12}(?:添加|增加|加上|实现|写|改成|改为|修改|重命名|重构|修复|修一下|删除|去掉|替换|移动|提取|创建|更新)|^(?:添加|增加|实现|修改|重命名|重构|修复|删除|替换|移动|创建|更新)',
  ],
  failure: [
    '(?:构建|编译|测试|流水线|build|单测).{0,12}(?:失败|报错|出错|不过|没过|挂了|通不过|不通过)|编译不(?:过|了)|(?:跑|过)不(?:过|了).{0,4}测试',
  ],
};

const JAPANESE: Phrases = {
  changes: [
    '(?:私|僕|俺|自分|わたし|こちら)(?:の|が(?:した|行った|加えた)).{0,6}(?:変更|修正|編集|差分)',
    '(?:最近|直近|現在|今回|ローカル|これら|さっき|先ほど)の.{0,4}(?:変更|修正|編集|差分)',
    '(?:変更|修正|編集)(?:した|しました|された)(?:点|ところ|箇所|内容|ファイル|もの|の)|変更(?:点|箇所)',
    '(?:何|なに|どこ)(?:を|が|か)?.{0,4}(?:変更|変え|変わ|修正|編集)(?:した|しました|たか|った|ました|たの)',
    '(?:変更|修正|編集)(?:しました|したばかり|したんだ)|変更を(?:見|確認|レビュー|説明|まとめ|要約)',
    'コミットメッセージ',
  ],
  diffs: [
    'diff|差分',
    '(?:何|なに|どこ)(?:を|が|か)?.{0,4}(?:変更|変え|変わ|修正)(?:した|しました|たか|った|たの)',
    '(?:変更|修正)(?:点|箇所|内容)?を?(?:見せ|表示|説明|確認|レビュー|まとめ|要約)',
    'コミットメッセージ',
  ],
  git: [
    '未コミット|コミットしていない|まだコミット|ステージ(?:済|され|して|した)|アンステージ|(?:作業|ワーキング)(?:ツリー|ディレクトリ|コピー)',
  ],
  openFiles: ['開いて(?:い)?るファイル|(?:この|これらの|現在の)ファイル|現在のコンテキスト'],
  code: [
    '説明して|なぜ|どうして|どのように|どうやって|どういう意味|何をして|どこに?あ|デバッグ|調べて|理解',
    'エラー|バグ|例外|クラッシュ|落ちる|動かない|動きません|壊れ',
  ],
  edit: [
    '(?:追加|実装|変更|修正|削除|置換|移動|抽出|作成|更新|リネーム|リファクタ(?:リング)?|書き換え)して|(?:直|消|書い|変え|加え|付け|作っ|書き直)(?:して|て)(?:ください|ほしい|下さい|くれ|$|。)',
  ],
  failure: [
    '(?:ビルド|テスト|コンパイル|パイプライン).{0,12}(?:失敗|落ち|通らな|通りません|エラー|壊れ|できな|できません)',
  ],
};

export const PHRASES: readonly Phrases[] = [
  ...[ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, RUSSIAN, CHINESE, JAPANESE],
];
