import { type AttachedPack, attachPack, getPack, listPacks, removePack } from '@countersign/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { allPages } from '../../api/all-pages.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { useRole } from '../../safe/safe.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { text } from '../../safe/words/finding-text.ts'
import { Address as AddressView } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Problem, QueryProblem } from '../../ui/problem.tsx'
import { Time } from '../../ui/text/time.tsx'
import { useSession } from '../../wallet/index.ts'
import { Writing } from '../../wallet/signing.ts'

type Subject = { chainId: number; safeAddress: Address; safeTxHash: Hex }

function packsQuery({ chainId, safeAddress, safeTxHash }: Subject) {
  return queryOptions({
    queryKey: queryKeys.packs(chainId, safeAddress, safeTxHash),
    queryFn: async ({ signal }) => {
      const { items } = await allPages(
        (cursor) => api(listPacks, { chainId, safeAddress, safeTxHash, cursor }, signal),
        (page) => page.packs,
      )
      return items
    },
    retry: false,
  })
}

/** Lists the packs that members attached to a proposal. Each is a file of a stranger until this page has run it. */
export function AttachedPacks({
  subject,
  names,
  made,
  isBusy,
  run,
}: {
  subject: Subject
  names: Names
  /** The pack that this page has just made; null: none. */
  made: string | null
  isBusy: boolean
  run: (read: () => Promise<string>) => void
}) {
  const role = useRole(subject.chainId, subject.safeAddress)
  const packs = useQuery({ ...packsQuery(subject), enabled: role !== null })
  const attach = useTeamChange(subject, (pack: string) => api(attachPack, { ...subject, text: pack }))
  const remove = useTeamChange(subject, (id: string) => api(removePack, { ...subject, id }))
  const account = useSession().session?.address
  if (role === null) return null
  return (
    <div className="grid gap-2 text-small" data-attached-packs={packs.data?.length ?? 'unknown'}>
      <p className="font-semibold">{text('pack.attached')}</p>
      {packs.error && <QueryProblem error={packs.error} onRetry={() => void packs.refetch()} />}
      {packs.data?.length === 0 && <p className="text-ink-soft">{text('pack.attached.none')}</p>}
      {packs.data?.map((pack) => (
        <Attached
          key={pack.id}
          pack={pack}
          names={names}
          isBusy={isBusy}
          onRemove={
            role === 'owner' || (role === 'proposer' && account === pack.author) ? () => remove.mutate(pack.id) : null
          }
          onRun={() => run(async () => (await api(getPack, { ...subject, id: pack.id })).text)}
        />
      ))}
      {made !== null && role !== 'viewer' && (
        <Writing>
          <Button
            isCompact
            onClick={() => attach.mutate(made)}
            busy={attach.isPending ? text('pack.attaching') : undefined}
            disabled={isBusy}
          >
            {text('pack.attach')}
          </Button>
        </Writing>
      )}
      {attach.error && <Problem error={attach.error} />}
      {remove.error && <Problem error={remove.error} />}
    </div>
  )
}

function Attached({
  pack: { author, attachedAt, bytes, packHash },
  names,
  isBusy,
  onRun,
  onRemove,
}: {
  pack: AttachedPack
  names: Names
  isBusy: boolean
  onRun: () => void
  /** Null where it is not for the reader to remove. */
  onRemove: (() => void) | null
}) {
  return (
    <div className="grid gap-1" data-attached-pack={packHash}>
      <p className="flex flex-wrap items-start gap-x-2">
        <Time value={attachedAt} /> {text('pack.by', { kilobytes: Math.ceil(bytes / 1_000) })}
        <AddressView address={author} name={nameOf(author, names)} hasAvatar={false} isCopyable={false} />
      </p>
      <div className="flex flex-wrap gap-2">
        <Button isCompact variant="quiet" onClick={onRun} disabled={isBusy}>
          {text('pack.attached.run')}
        </Button>
        {onRemove && (
          <Writing>
            <Button isCompact variant="quiet" onClick={onRemove} disabled={isBusy}>
              {text('pack.attached.remove')}
            </Button>
          </Writing>
        )}
      </div>
    </div>
  )
}
