import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError } from 'viem'
import { z } from 'zod'
import type { ForwardOptions, Node } from './node.ts'
import { NO_METHOD, parseRefusal } from './refusals.ts'

const id = z.union([z.string(), z.number()])
const asked = z.object({ id, method: z.string(), params: z.array(z.unknown()).default([]) })
const answered = z.looseObject({
  id: id.nullable(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string().catch('') }).optional(),
})
type Answer = z.output<typeof answered>

/** The calls of a JSON-RPC body; none where it is no such body. */
export function callsOf(body: unknown): z.output<typeof asked>[] {
  return z.array(asked).safeParse([body].flat()).data ?? []
}

/**
 * Asks other nodes for what one refused of a JSON-RPC body, or left out. What nobody answers keeps the first one's answer,
 * with its words.
 *
 * @param text the answer of the first node, which is passed on as it is where it answers everything
 * @throws CountersignError `CHAIN_UNREACHABLE` where nothing of it can be read, and no other node answers
 */
export async function askOthers(
  { body, text, options }: { body: unknown; text: string; options: ForwardOptions },
  first: Node,
  others: readonly Node[],
): Promise<string> {
  const { largestAnswer } = options
  const calls = callsOf(body)
  const answers = parseAnswers(text)
  let open = openOf(calls, answers ?? [], first)
  if (open.length === 0) return text
  const found = new Map<unknown, Answer>()
  for (const node of others) {
    if (open.length === 0) break
    const more = await node.forward(open, options).then(parseAnswers, () => null)
    const missing = new Set(openOf(open, more ?? [], node))
    for (const answer of more ?? [])
      if (open.some((call) => call.id === answer.id && !missing.has(call))) found.set(answer.id, answer)
    open = open.filter(({ id }) => !found.has(id))
  }
  if (answers === null && found.size === 0) throw new HttpRequestError({ url: `http://${first.host}` })
  if (found.size === 0) return text
  const known = new Map(answers?.map((answer) => [answer.id, answer]))
  const all = calls.flatMap(({ id }) => found.get(id) ?? known.get(id) ?? [])
  const whole = JSON.stringify(Array.isArray(body) ? all : all[0])
  if (whole.length <= largestAnswer) return whole
  throw new ResponseBodyTooLargeError({ maxSize: largestAnswer, size: whole.length })
}

/** Null for what is no JSON. */
function parseAnswers(text: string): Answer[] | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return [parsed].flat().flatMap((one) => answered.safeParse(one).data ?? [])
  } catch {
    return null
  }
}

/**
 * The calls that a node left out, or refuses, and others may not. Only a missing method is learned here: what else it says
 * may be about what somebody made up.
 */
function openOf<call extends z.output<typeof asked>>(
  calls: readonly call[],
  answers: readonly Answer[],
  node: Node,
): call[] {
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return calls.filter((call) => {
    const answer = byId.get(call.id)
    if (!answer || (!answer.error && answer.result === undefined)) return true
    const { error } = answer
    if (!error) return false
    const body = { method: call.method }
    const refusal = parseRefusal(call, new RpcRequestError({ url: `http://${node.host}`, body, error }), node.newest())
    if (refusal && NO_METHOD.includes(error.code)) node.limits.learn(refusal)
    return refusal !== null
  })
}
