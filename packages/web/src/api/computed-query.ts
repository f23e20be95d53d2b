import { type QueryClient, queryOptions } from '@tanstack/react-query'

/** Numbers of values that are compared as a whole. */
const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** Marks a large value that never changes in place, so that keys compare it by identity and not by its content. */
export function byIdentity<Value extends object>(value: Value): Value {
  if (!numbers.has(value)) numbers.set(value, ++lastNumber)
  return value
}

function write(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: value.toString() }
  const number = typeof value === 'object' && value !== null ? numbers.get(value) : undefined
  return number === undefined ? value : { number }
}

/**
 * A query that computes its answer from its input alone. The input is the key: nothing that the answer rests on can be
 * left out of it, and a changed input is computed anew.
 *
 * @param compute of the input, and of what other queries answer; a function of the module (`npm run check` sees to that): a closure could read more than the input
 */
export function computedQuery<Input, Output>(
  name: string,
  input: Input,
  compute: (input: Input, queryClient: QueryClient) => Promise<Output> | Output,
) {
  return queryOptions({
    queryKey: [name, JSON.stringify(input, write)],
    queryFn: async ({ client }) => compute(input, client),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // It is computed here; being offline does not stop it.
    networkMode: 'always',
  })
}
