import { createApiToken, type TokenScope, tokenScopes } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { serverNow } from '../../device/server-time.ts'
import { CheckList } from '../../ui/check-list.tsx'
import { ShownOnce } from '../../ui/copy/shown-once.tsx'
import { EndField, endOf, type Span } from '../../ui/form/end-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { parseRequired } from '../../ui/form/typed-field.ts'
import { Section } from '../../ui/section.tsx'
import { WritingForm } from '../../wallet/signing.ts'
import { text } from './text.ts'

type TokenDraft = { name: string; scopes: readonly TokenScope[]; span: Span }

/** Makes a token, and shows it this once. */
export function TokenForm() {
  const queryClient = useQueryClient()
  const making = useMutation({
    mutationFn: ({ name, scopes, span }: TokenDraft) =>
      api(createApiToken, { name, scopes: [...scopes], expiresAt: endOf(span, serverNow()) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.apiTokens }),
    // Nobody keeps it, the memory of this page neither.
    gcTime: 0,
  })
  const start: TokenDraft = { name: '', scopes: ['read'], span: '30' }
  const form = useForm({
    start,
    read: ({ name, scopes, span }) => ({
      name: parseRequired(name, text('tokens.name.missing')),
      scopes: scopes.length > 0 ? { value: scopes } : { error: text('tokens.scopes.missing') },
      span: { value: span },
    }),
    sending: making,
  })
  if (making.data)
    return (
      <ShownOnce
        secret={making.data.token}
        title={text('tokens.shown', { name: making.data.apiToken.name })}
        once={text('tokens.shown.once')}
        sentence={text('tokens.shown.sentence')}
        copy={text('tokens.copy')}
        how={text('tokens.how')}
        done={text('tokens.shown.done')}
        onDone={() => making.reset()}
      />
    )
  return (
    <Section title={text('tokens.make')}>
      <WritingForm submit={text('tokens.make.submit')} busy={text('tokens.make.busy')} state={form.state}>
        <Field
          label={text('tokens.name')}
          hint={text('tokens.name.hint')}
          maxLength={50}
          autoComplete="off"
          {...form.field('name')}
        />
        <CheckList
          legend={text('tokens.scopes')}
          options={tokenScopes.map((scope) => ({
            value: scope,
            label: text(`tokens.scope.${scope}`),
            what: text(`tokens.scope.${scope}.what`),
          }))}
          value={form.typed.scopes}
          onChange={(scopes) => form.set({ scopes })}
          error={form.errorOf('scopes')}
        />
        <EndField
          label={text('tokens.span')}
          value={form.typed.span}
          onChange={(span) => form.set({ span })}
          hint={text('tokens.span.hint')}
          now={serverNow()}
        />
      </WritingForm>
    </Section>
  )
}
