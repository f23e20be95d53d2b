import { makeApiToken, type TokenScope, tokenScopes } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { serverNow } from '../../api/server-time.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EndField, endOf, type Span } from '../../ui/end-field.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { Writing } from '../../wallet/index.ts'
import { text } from './text.ts'

/** Makes a token, and shows it this once. */
export function TokenForm() {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['read'])
  const [span, setSpan] = useState<Span>('30')
  const [isAsked, setIsAsked] = useState(false)
  const queryClient = useQueryClient()
  const making = useMutation({
    mutationFn: (input: { name: string; scopes: TokenScope[]; span: Span }) =>
      api(makeApiToken, { name: input.name, scopes: input.scopes, expiresAt: endOf(input.span, serverNow()) }),
    onSuccess: () => {
      setName('')
      setIsAsked(false)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.apiTokens }),
    // Nobody keeps it, the memory of this page neither.
    gcTime: 0,
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
      <Writing>
        <form
          noValidate
          className="grid max-w-xl gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            setIsAsked(true)
            if (name.trim() && scopes.length > 0 && !making.isPending)
              making.mutate({ name: name.trim(), scopes: [...scopes], span })
          }}
        >
          <Field
            label={text('tokens.name')}
            hint={text('tokens.name.hint')}
            value={name}
            maxLength={50}
            autoComplete="off"
            onChange={(event) => {
              setName(event.target.value)
              making.reset()
            }}
            error={isAsked && !name.trim() ? text('tokens.name.missing') : undefined}
          />
          <Scopes value={scopes} onChange={setScopes} isMissing={isAsked && scopes.length === 0} />
          <EndField
            label={text('tokens.span')}
            value={span}
            onChange={setSpan}
            hint={text('tokens.span.hint')}
            now={serverNow()}
          />
          {making.error && <Problem error={making.error} />}
          <div>
            <Button type="submit" variant="primary" busy={making.isPending ? text('tokens.make.busy') : undefined}>
              {text('tokens.make.submit')}
            </Button>
          </div>
        </form>
      </Writing>
    </Section>
  )
}

function Scopes({
  value,
  onChange,
  isMissing,
}: {
  value: readonly TokenScope[]
  onChange: (scopes: readonly TokenScope[]) => void
  isMissing: boolean
}) {
  const id = useId()
  return (
    <fieldset className="grid gap-1" aria-describedby={isMissing ? `${id}-missing` : undefined}>
      <legend className="mb-1 text-small font-semibold">{text('tokens.scopes')}</legend>
      {tokenScopes.map((scope) => (
        <label key={scope} className="flex min-h-11 items-start gap-3 py-1.5">
          <input
            type="checkbox"
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
      {isMissing && (
        <p id={`${id}-missing`} role="alert" className="text-small text-danger">
          {text('tokens.scopes.missing')}
        </p>
      )}
    </fieldset>
  )
}
