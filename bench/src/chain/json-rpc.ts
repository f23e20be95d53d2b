type Answer = { id: number; result?: unknown; error?: { message: string } }

export async function requestOne(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const [result] = await requestAll(url, [{ method, params }])
  return result
}

/** One batch. @throws Error for the first request that the node refuses. */
export async function requestAll(url: string, requests: { method: string; params?: unknown[] }[]): Promise<unknown[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requests.map((request, id) => ({ jsonrpc: '2.0', id, params: [], ...request }))),
  })
  const answers: Answer[] = await response.json()
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return requests.map(({ method }, id) => {
    const answer = byId.get(id)
    if (answer && !answer.error) return answer.result
    throw new Error(`The node refused \`${method}\`: ${answer?.error?.message ?? 'no answer'}`)
  })
}
