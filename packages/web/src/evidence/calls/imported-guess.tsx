import { findFunctions } from '@countersign/contract'
import { type Call, describeCall, parseGivenFunctions } from '@countersign/safe/calls'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Hex, size, slice } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { text } from '../../safe/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'

function functionsQuery(selector: Hex) {
  return queryOptions({
    queryKey: queryKeys.functions(selector),
    queryFn: ({ signal }) => api(findFunctions, { selector }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Says which functions of the operator's list have this selector: the lowest of all guesses, by a word that counts for nobody. */
export function ImportedGuess({ call }: { call: Call }) {
  const selector = size(call.data) < 4 ? null : slice(call.data, 0, 4)
  const { data } = useQuery({ ...functionsQuery(selector ?? '0x'), enabled: selector !== null })
  const list = data?.list
  if (!list || list.functions.length === 0) return null
  const { name, functions } = list
  return (
    <div data-imported-guess={functions.length}>
      <p className="wrap-anywhere">
        {text('call.guess.imported', { count: functions.length, list: showUntrusted(name, 100) })}
      </p>
      <ul className="grid gap-1">
        {functions.map((signature) => (
          <li key={signature} className="wrap-anywhere">
            {text('call.guess', { function: showUntrusted(signature, 500) })}{' '}
            <Arguments call={call} signature={signature} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Arguments({ call, signature }: { call: Call; signature: string }) {
  const { to, value, data, operation, from } = call
  const abis = [{ address: to, functions: parseGivenFunctions(signature) }]
  const { args, source, problem } = describeCall({ to, value, data, operation, safeAddress: from, abis })
  if (source !== 'given' || problem !== null) return text('call.guess.imported.unfit')
  const said = args.map(({ type, value }) => `${type}: ${value}`).join(', ')
  return <span className="figures">{showUntrusted(said, 2_000)}</span>
}
