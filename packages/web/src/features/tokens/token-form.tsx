import { createApiToken, type TokenScope, tokenScopes } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { serverNow } from '../../api/server-time.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EndField, endOf, type Span } from '../../ui/end-field.tsx'
import { Field } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { parseRequired } from '../../ui/typed-field.ts'
import { WritingForm } from '../../wallet/index.ts'
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
      <Section title={text('tokens.shown', { name: making.data.apiToken.name })}>
        <Notice tone="warning" isAnnounced title={text('tokens.shown.once')}>
          {text('tokens.shown.sentence')}
        </Notice>
        <div className="mt-4 flex flex-wrap items-center gap-x-2 border-y border-rule py-3">
          <code data-new-token className="figures min-w-0 text-small wrap-anywhere">
            {making.data.token}
          </code>
          <CopyButton value={making.data.token} label={text('tokens.copy')} />
        </div>
        <p className="mt-4 max-w-prose text-small text-ink-soft">{text('tokens.how')}</p>
        <div className="mt-4">
          <Button onClick={() => making.reset()}>{text('tokens.shown.done')}</Button>
        </div>
      </Section>
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
        <Scopes value={form.typed.scopes} onChange={(scopes) => form.set({ scopes })} error={form.errorOf('scopes')} />
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

function Scopes({
  value,
  onChange,
  error,
}: {
  value: readonly TokenScope[]
  onChange: (scopes: readonly TokenScope[]) => void
  error: string | undefined
}) {
  const id = useId()
  return (
    <fieldset className="grid gap-1" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 text-small font-semibold">{text('tokens.scopes')}</legend>
      {tokenScopes.map((scope) => (
        <label key={scope} className="flex min-h-11 items-start gap-3 py-1.5">
          <input
            type="checkbox"
            aria-invalid={error ? true : undefined}
            checked={value.includes(scope)}
            onChange={() =>
              onChange(tokenScopes.filter((one) => (one === scope ? !value.includes(one) : value.includes(one))))
            }
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="block font-medium">{text(`tokens.scope.${scope}`)}</span>
            <span className="block text-small text-ink-soft">{text(`tokens.scope.${scope}.what`)}</span>
          </span>
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
