import { fetchList } from '../token-lists/fetch-list.ts'
import { type OpenedList, readEntries } from '../token-lists/parse-token-list.ts'
import { describeSource, type TokenListSettings } from '../token-lists/settings.ts'
import { counted, type Finding, good, notice } from './finding.ts'

/** Looks at each token list that the configuration names: whether it can be had, and what of it is used. */
export async function lookAtTokenLists(
  lists: readonly TokenListSettings[],
  chainIds: ReadonlySet<number>,
): Promise<Finding[]> {
  return Promise.all(
    lists.map(async (settings) => {
      const about = `Token list ${describeSource(settings)}`
      if (settings.kind === 'file') return ofList(about, settings.list, chainIds)
      const answer = await fetchList(settings.url, null)
      if (answer.kind === 'list') return ofList(about, answer.opened, chainIds)
      const why = answer.kind === 'fault' ? [answer.fault, answer.detail].filter(Boolean).join(' ') : answer.kind
      return notice(
        about,
        `cannot be had (${why}); what was fetched before stays in use`,
        'Correct its URL in `tokenLists`, or have its host answer with a list by the schema of tokenlists.org.',
      )
    }),
  )
}

async function ofList(about: string, list: OpenedList, chainIds: ReadonlySet<number>): Promise<Finding> {
  const { tokens, refused } = await readEntries(list, chainIds)
  const says = `${counted(tokens.length, 'token')} of the chains that are configured`
  if (refused.length === 0) return good(about, says)
  const reasons = refused.map(({ reason, count }) => `${count} ${reason}`).join(', ')
  return notice(
    about,
    `${says}; not used: ${reasons}`,
    'Look at the entries on the page Chains, and tell whoever keeps the list.',
  )
}
