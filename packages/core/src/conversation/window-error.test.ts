import { describe, expect, test } from 'vitest';
import { windowError } from './window-error.js';

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe('an answer that the request is too long', () => {
  test.each<[string, number, unknown, number | null, number | null]>([
    [
      'Anthropic',
      400,
      error('prompt is too long: 215000 tokens > 200000 maximum', { type: 'invalid_request_error' }),
      200_000,
      215_000,
    ],
    [
      'Anthropic with max_tokens',
      400,
      error('input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length'),
      200_000,
      190_000,
    ],
    [
      'Anthropic, too many bytes',
      413,
      error('Request exceeds the maximum size', { type: 'request_too_large' }),
      null,
      null,
    ],
    [
      'OpenAI',
      400,
      error("This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens.", {
        code: 'context_length_exceeded',
      }),
      128_000,
      131_072,
    ],
    [
      'OpenAI Responses',
      400,
      error('Your input exceeds the context window of this model. Please adjust your input and try again.'),
      null,
      null,
    ],
    [
      'OpenRouter',
      400,
      error("This endpoint's maximum context length is 131072 tokens. However, you requested about 132463 tokens"),
      131_072,
      132_463,
    ],
    [
      'xAI',
      400,
      { error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
      131_072,
      537_812,
    ],
    [
      'Gemini',
      400,
      error('The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'),
      1_048_575,
      1_196_265,
    ],
    ['Bedrock', 400, { message: 'Input is too long for requested model.' }, null, null],
    [
      'llama.cpp',
      400,
      error('the request exceeds the available context size, try increasing it', {
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 4096,
      }),
      4096,
      9000,
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages",
      },
      4096,
      5000,
    ],
    [
      'Mistral',
      400,
      {
        message:
          'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
      32_768,
      65_673,
    ],
    [
      'Groq',
      400,
      error('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }),
      null,
      null,
    ],
    ['Kimi', 400, error('Invalid request: Your request exceeded model token limit: 131072'), null, null],
    ['Qwen', 400, error('Range of input length should be [1, 129024]'), null, null],
    ['Zhipu', 400, error('Prompt exceeds max length', { code: '1261' }), null, null],
    ['a text', 400, 'prompt too long; exceeded max context length by 12 tokens', null, null],
    ['LiteLLM', 400, 'litellm.ContextWindowExceededError: BadRequestError', null, null],
    ['in a stream, without a status', 200, error('the request exceeds the available context size'), null, null],
  ])('[CON4c] of %s is recognised, with its numbers', (_, status, body, window, asked) => {
    expect(windowError(status, body)).toEqual({ window, asked });
  });

  test.each<[string, number, unknown]>([
    ['a limit of rate', 429, error('Rate limit reached: tokens per min (TPM): Limit 30000, Requested 45000')],
    ['a limit of rate with another status', 400, error('Request too large for gpt-4 on tokens per min (TPM)')],
    ['throttling', 400, { message: 'Too many tokens, please wait before trying again.' }],
    [
      'a limit of output',
      400,
      error('max_tokens: 300000 > 64000, which is the maximum allowed number of output tokens'),
    ],
    ['an overload', 529, error('Overloaded', { type: 'overloaded_error' })],
    ['a missing key', 401, error('invalid x-api-key')],
    ['a broken request', 400, error('messages.3: `tool_use` ids were found without `tool_result` blocks')],
    ['a fault', 500, 'Internal Server Error'],
    ['nothing', 400, undefined],
    ['a schema', 400, error("Invalid 'tools': array too long. Expected an array with maximum length 128")],
  ])('[CON4d] %s is not taken for one', (_, status, body) => {
    expect(windowError(status, body)).toBeNull();
  });
});
