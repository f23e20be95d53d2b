import { ResponseBodyTooLargeError, RpcRequestError } from 'viem'
import { z } from 'zod'
import type { Call } from './call.ts'
import type { Node } from './node.ts'
import { NO_METHOD, parseRefusal } from './refusals.ts'

const id = z.union([z.string(), z.number()])
const asked = z.object({ id, method: z.string(), params: z.array(z.unknown()).default([]) })
const answered = z.looseObject({
  id: id.nullable(),
  error: z.object({ code: z.number(), message: z.string().catch('') }).optional(),
})
type Answer = z.output<typeof answered>

/** The calls of a JSON-RPC body; none where it is no such body. */
export function callsOf(body: unknown): Call[] {
  return z.array(asked).safeParse([body].flat()).data ?? []
}

/**
 * Asks other nodes for what one refused of a JSON-RPC body. What all refuse keeps the first one's answer, with its words.
 *
 * @param text the answer of the first node, which is passed on as it is where nothing in it is refused
 */
export async function askOthers(
  { body, text, largestAnswer }: { body: unknown; text: string; largestAnswer: number },
  first: Node,
  others: readonly Node[],
): Promise<string> {
  if (!text.includes('"error"')) return text
  const calls = z.array(asked).safeParse([body].flat()).data ?? []
  const answers = parseAnswers(text)
  let open = refusedOf(calls, answers, first)
  const found = new Map<string | number, Answer>()
  for (const node of others) {
    if (open.length === 0) break
    const more = await node.forward(open, largestAnswer).then(parseAnswers, () => [])
    const refused = new Set(refusedOf(open, more, node))
    for (const call of open) {
      const one = more.find((answer) => answer.id === call.id)
      if (one && !refused.has(call)) found.set(call.id, one)
    }
    open = open.filter((call) => !found.has(call.id))
  }
  if (found.size === 0) return text
  const all = answers.map((answer) => (answer.id === null ? undefined : found.get(answer.id)) ?? answer)
  const whole = JSON.stringify(Array.isArray(body) ? all : all[0])
  if (whole.length <= largestAnswer) return whole
  throw new ResponseBodyTooLargeError({ maxSize: largestAnswer, size: whole.length })
}

function parseAnswers(text: string): Answer[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return z.array(answered).safeParse([parsed].flat()).data ?? []
  } catch {
    return []
  }
}

/**
 * The calls that a node refuses, and others may not. Only a missing method is learned here: what else it says may be about
 * what somebody made up.
 */
function refusedOf<call extends z.output<typeof asked>>(
  calls: readonly call[],
  answers: readonly Answer[],
  node: Node,
): call[] {
  return calls.filter((call) => {
    const error = answers.find((answer) => answer.id === call.id)?.error
    if (!error) return false
    const body = { method: call.method }
    const refusal = parseRefusal(call, new RpcRequestError({ url: `http://${node.host}`, body, error }), node.newest())
    if (refusal && NO_METHOD.includes(error.code)) node.limits.learn(refusal)
    return refusal !== null
  })
}
