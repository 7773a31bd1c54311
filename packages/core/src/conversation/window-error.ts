/** A request was too long for the model. What the provider said of it, where it said so, in tokens. */
export type WindowError = { readonly window: number | null; readonly asked: number | null };

/**
 * Whether an answer says that the request does not fit into the model's window, as Anthropic, OpenAI and the servers that
 * speak as they do put it. Null for any other error: above all limits of rate and of output, which are in tokens too.
 */
export function windowError(status: number | null, body: unknown): WindowError | null {
  const text = (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, TEXT_LIMIT);
  if (status === 429 || status === 401 || status === 403 || status === 404) return null;
  if (OF_ANOTHER_KIND.test(text)) return null;
  const isCode = CODES.test(text);
  const isSaid = SENTENCES.some((sentence) => sentence.test(text));
  const isTooLarge = status === 413;
  return isCode || isSaid || isTooLarge ? numbersIn(text) : null;
}

/** No provider says more than this before it says what is wrong. */
const TEXT_LIMIT = 64 * 1024;

const CODES =
  /context_length_exceeded|model_context_window_exceeded|exceed_context_size_error|request_too_large|ContextWindowExceededError|context_window_exceeded/i;

const SENTENCES: readonly RegExp[] = [
  /prompt (?:is )?too long/i,
  /input is too long/i,
  /maximum (?:context|prompt|model|input|sequence) length/i,
  /(?:exceeds?|exceeded|greater than|larger than|longer than|beyond) (?:the |this |its |your )?(?:model(?:'s)? |maximum |available )*(?:context|token limit)/i,
  /exceeds (?:the )?maximum (?:number of |allowed )*(?:input |prompt )?(?:tokens|length)/i,
  /exceeded model token limit/i,
  /context (?:length|window|size)[^.]{0,60}(?:exceed|overflow|is only|too small)/i,
  /exceed(?:s|ed)? context limit/i,
  /exceeds the (?:context )?limit of \d+/i,
  /reduce the length of (?:the|your) (?:messages|prompt|input)/i,
  /too many (?:input |prompt )?tokens/i,
  /tokens?[^.]{0,40}too large for model/i,
  /range of input length should be/i,
  /prompt exceeds max length/i,
  /must be <= \d+[^.]{0,60}(?:tokens|max_new_tokens)/i,
  /context the overflows/i,
];

const OF_ANOTHER_KIND =
  /rate.?limit|tokens per (?:min|minute|day|hour|second)|per-minute|\bTPM\b|quota|throttl|overloaded|too many tokens, please wait|max_tokens: \d+ > \d+|maximum output tokens/i;

const ASKED = [
  /([\d,_]+) tokens? > [\d,_]+/,
  /"n_prompt_tokens"\s*:\s*(\d+)/,
  /input token count \(?([\d,_]+)/i,
  /(?:resulted in|requested(?: about)?|contains|request \(|has|prompt contains|input length(?: \(|.{0,20}?:) ?)\s*([\d,_]+) (?:input )?tokens?/i,
  /exceed context limit: (\d+)/i,
];
const WINDOW = [
  /[\d,_]+ tokens? > ([\d,_]+)/,
  /"n_ctx"\s*:\s*(\d+)/,
  /maximum (?:context|prompt|model|input) length(?: is| of)? \(?([\d,_]+)/i,
  /tokens allowed \(?([\d,_]+)/i,
  /([\d,_]+) maximum context length/i,
  /context (?:size|length|window|limit)(?: is only| of| is)? \(?([\d,_]+)/i,
  /exceed context limit: \d+ \+ \d+ > (\d+)/i,
  /limit of ([\d,_]+)/i,
];

function numbersIn(text: string): WindowError {
  return { window: firstNumber(text, WINDOW), asked: firstNumber(text, ASKED) };
}

function firstNumber(text: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1]?.replace(/[,_]/g, '');
    if (digits !== undefined && digits !== '') return Number(digits);
  }
  return null;
}
