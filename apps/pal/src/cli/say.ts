import type { Answer } from '@palimpsest/protocol';
import { clientInTime, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { AGENT_SAYS, type Saying, type SayingName } from './agent-says.js';
import type { Said } from './command.js';

/** Says it by way of the full client, which starts the daemon if it must. */
export async function say(name: SayingName, face: Face): Promise<Said> {
  const saying: Saying = AGENT_SAYS[name];
  const { directory, surroundings } = face;
  const given = (await face.input()) as Readonly<Record<string, unknown>>;
  const body = saying.body(given, { directory, environment: surroundings.environment });
  const client = await clientInTime(face);
  const send = client[saying.endpoint] as (parts: { readonly body: unknown }) => Answer<unknown>;
  const answer = said(await send({ body }));
  return {
    json: answer,
    text: (style) => saying.text(answer, style),
    ...(saying.exit === undefined ? {} : { exit: saying.exit(answer) }),
  };
}
