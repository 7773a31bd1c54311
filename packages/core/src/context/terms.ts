import { normalized } from './wishes.js';

/**
 * What a prompt names. A `name` is surely of code or of a file: it has an inner capital, an underscore, a dot or a slash, or
 * stands in backticks or quotes. A `word` is any other that says something.
 */
export type Term = { readonly kind: 'name' | 'word'; readonly text: string };

const TERMS_LIMIT = 24;
const LONGEST_TERM = 80;

export function termsOf(prompt: string): readonly Term[] {
  const text = prompt.slice(0, PROMPT_CHARS);
  const found = new Map<string, Term>();
  const add = (kind: Term['kind'], written: string) => {
    const key = written.toLowerCase();
    if (written.length > LONGEST_TERM || found.has(key)) return;
    if (found.size < TERMS_LIMIT) found.set(key, { kind, text: written });
  };
  for (const [, quoted] of text.matchAll(/[`"“«「『]([^`"”»」』\n]{2,80})[`"”»」』]/gu)) {
    if (/^[\p{L}\p{N}_$./#:-]+(?:\(\))?$/u.test(quoted!)) add('name', quoted!.replace(/\(\)$/, ''));
  }
  for (const [written] of text.matchAll(/[\p{L}\p{N}_$@][\p{L}\p{N}_$./#-]*/gu)) {
    const bare = written.replace(/^@/, '').replace(/[./#-]+$/, '');
    if (isName(bare)) add('name', bare);
  }
  for (const word of wordsIn(text)) if (!found.has(word) && isTelling(word)) add('word', word);
  return [...found.values()];
}

const PROMPT_CHARS = 8_000;

function isName(text: string): boolean {
  if (text.length < 3 || text.length > LONGEST_TERM || /^https?$/.test(text)) return false;
  return (
    /\p{Ll}\p{Lu}|_|\p{L}[\p{L}\p{N}]*[./][\p{L}\p{N}]{1,}|^\p{L}+\p{N}+$|^\p{Lu}{2,}\p{Ll}/u.test(text) &&
    /\p{L}/u.test(text)
  );
}

/** The words of a text as they are compared: normalized, of scripts without spaces in pairs of characters. */
export function wordsIn(text: string): readonly string[] {
  const words: string[] = [];
  for (const [run] of normalized(text).matchAll(/[\p{L}\p{N}_$]+/gu)) {
    if (!IDEOGRAPHS.test(run)) words.push(run);
    else for (const [part] of run.matchAll(RUNS)) words.push(...(IDEOGRAPHS.test(part) ? pairsOf(part) : [part]));
  }
  return words;
}

const IDEOGRAPHS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;
const RUNS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+/g;

function pairsOf(run: string): readonly string[] {
  return run.length < 2 ? [] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
}

/** The parts of a name that is made of several words: `parseHTMLFile_v2` has parse, html, file, v2. */
export function partsOf(name: string): readonly string[] {
  const parts = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map((part) => part.toLowerCase())
    .filter((part) => part.length > 1);
  return parts.length < 2 ? [] : parts;
}

/** Words so common in prompts that they point nowhere; the wishes have understood what they say. */
function isTelling(word: string): boolean {
  if (IDEOGRAPHS.test(word)) return !EMPTY_PAIRS.test(word);
  return word.length > 3 && !/^\d+$/.test(word) && !EMPTY_WORDS.has(word);
}

const EMPTY_PAIRS = /[のをにはがでとてただすまいうるれよね的了是我你他这那请把在不有和么]|ください|私|何/;
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'return import export const static public private async await true false null undefined string number ' +
    'about above after again also always another because been before being below between both build built cannot change changed changes check ' +
    'class code could does doing done down each edit error every explain file files find first fix fixed from function give have here how ' +
    'implement into just keep know last like line lines list look make many method might more most much must name need needs never new next now only open ' +
    'other over please problem really refactor remove rename review right said same show should since some such sure tell test tests than thank thanks that their them then ' +
    'there these they thing this those through today under understand until update used uses using very want wants well were what when where ' +
    'which while will with without work works would write wrong your yours ' +
    'aber alle auch bitte dann danke dass datei dein deine dem diese dieser dieses doch durch eine einen einer eines etwas funktion habe haben hier ihre immer ' +
    'jetzt kann kannst kein keine machen mein meine mich nach nicht noch oder schon sein seine sich sind soll uber unter warum wenn werden wieder wird ' +
    'avec cette comment dans donc elle encore est-ce etre fait faire fichier fonction pour pourquoi quand quel quelle sans sont sur tous tout tres ' +
    'archivo como cuando donde esta este esto hacer para pero porque puede puedes quiero sobre tiene todo todos ' +
    'arquivo essa esse fazer isso mais muito onde pode porque quando quero voce ' +
    'anche come cosa dove fare file funzione perche puoi quando quello questa questo sono tutti ' +
    'было быть если есть когда который можно надо нужно почему потому спасибо только чтобы этот этого функция пожалуиста'
  ).split(' '),
);
