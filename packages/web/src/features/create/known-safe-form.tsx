import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isHash } from 'viem'
import { useChains } from '../../api/configuration.ts'
import { Field, SelectField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import type { PlannedSafe } from './creation-draft.ts'
import { readKnownCreation } from './known-creation.ts'
import { text } from './text.ts'

/** Finds how a Safe was created, from its transaction, to create it on the other chains at the same address. */
export function KnownSafeForm({ onReview }: { onReview: (planned: PlannedSafe) => void }) {
  const chains = useChains()
  const [chainId, setChainId] = useState(chains[0]?.chainId ?? 0)
  const [hash, setHash] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const written = hash.trim()
  const read = useMutation({
    mutationFn: async () => {
      const known = await readKnownCreation(chainId, written as `0x${string}`)
      if (typeof known === 'string') return known
      onReview({ ...known, chainIds: chains.map((chain) => chain.chainId).filter((other) => other !== chainId) })
      return null
    },
  })
  if (chains.length < 2) return null
  const submit = () => {
    setIsAsked(true)
    if (isHash(written) && !read.isPending) read.mutate()
  }
  return (
    <div className="mt-12">
      <Section title={text('create.known')}>
        <p className="mb-4 max-w-prose text-ink-soft">{text('create.known.what')}</p>
        <Form
          submit={text('create.known.button')}
          busy={text('create.known.busy')}
          isPrimary={false}
          state={{ onSubmit: submit, isSending: read.isPending, error: read.error }}
        >
          <SelectField
            label={text('create.known.chain')}
            value={chainId}
            onChange={({ target }) => setChainId(Number(target.value))}
          >
            {chains.map((chain) => (
              <option key={chain.chainId} value={chain.chainId}>
                {chain.name}
              </option>
            ))}
          </SelectField>
          <Field
            label={text('create.transactionHash')}
            value={hash}
            isFigures
            autoComplete="off"
            spellCheck={false}
            placeholder="0x"
            error={isAsked && !isHash(written) ? text('create.known.hash') : undefined}
            onChange={({ target }) => {
              setHash(target.value)
              read.reset()
            }}
          />
          {read.data && (
            <Notice tone="warning" isAnnounced>
              {text(`create.known.${read.data}`)}
            </Notice>
          )}
        </Form>
      </Section>
    </div>
  )
}
