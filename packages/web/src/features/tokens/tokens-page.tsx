import { type ApiToken, revokeApiToken } from '@countersign/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useChain } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { serverNow } from '../../device/server-time.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { SureButton } from '../../ui/sure-button.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { Writing } from '../../wallet/signing.ts'
import { apiTokensQuery } from './queries.ts'
import { text } from './text.ts'
import { TokenForm } from './token-form.tsx'

/** Shows the API tokens of the account, which scripts show instead of a session. */
export function TokensPage() {
  const { session } = useSession()
  const tokens = useQuery(apiTokensQuery)
  return (
    <div data-tokens>
      <PageHead
        title={text('tokens.title')}
        back={<TextLink to="/">{text('safes.title')}</TextLink>}
        about={session && <Address address={session.address} name={text('tokens.of')} />}
        what={text('tokens.what')}
      />
      <TokenForm />
      <Section title={text('tokens.list')}>
        <List
          of={tokens}
          rows={tokens.data?.tokens ?? []}
          keyOf={({ id }) => id}
          label={text('tokens.list')}
          loading={text('tokens.loading')}
          empty={<Empty title={text('tokens.empty')}>{text('tokens.empty.sentence')}</Empty>}
        >
          {(token) => <TokenEntry token={token} />}
        </List>
      </Section>
    </div>
  )
}

function TokenEntry({ token }: { token: ApiToken }) {
  const chain = useChain(token.chainId)
  const queryClient = useQueryClient()
  const revocation = useMutation({
    mutationFn: () => api(revokeApiToken, { id: token.id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.apiTokens }),
  })
  const name = showUntrusted(token.name, 50)
  const isOver = token.expiresAt !== null && Date.parse(token.expiresAt) <= serverNow()
  return (
    <div data-token={token.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-1">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="flex flex-wrap gap-1.5">
          {isOver && <Tag tone="warning">{text('tokens.over')}</Tag>}
          {token.scopes.map((scope) => (
            <Tag key={scope}>{text(`tokens.scope.${scope}`)}</Tag>
          ))}
        </p>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-small text-ink-soft">
          <dt>{text('tokens.made')}</dt>
          <dd>
            <Time value={token.createdAt} /> · {chain?.name ?? text('tokens.chain', { chainId: token.chainId })}
          </dd>
          <dt>{isOver ? text('tokens.ended') : text('tokens.ends')}</dt>
          <dd>{token.expiresAt === null ? text('end.never') : <Time value={token.expiresAt} />}</dd>
          <dt>{text('tokens.used')}</dt>
          <dd className="wrap-anywhere">
            {token.lastUsedAt === null ? (
              text('tokens.used.never')
            ) : (
              <>
                <Time value={token.lastUsedAt} />
                {token.lastUsedFrom && ` · ${text('tokens.used.from', { address: token.lastUsedFrom })}`}
              </>
            )}
          </dd>
        </dl>
      </div>
      <Writing>
        <SureButton
          label={text('tokens.revoke')}
          name={text('tokens.revoke.of', { name: token.name })}
          sentence={text('tokens.revoke.sure', { name: token.name })}
          yes={text('tokens.revoke.yes')}
          no={text('tokens.cancel')}
          busy={revocation.isPending ? text('tokens.revoke.busy') : undefined}
          error={revocation.error}
          onSure={() => revocation.mutate()}
        />
      </Writing>
    </div>
  )
}
