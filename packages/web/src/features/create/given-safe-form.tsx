import { useState } from 'react'
import { useChains } from '../../api/configuration.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import type { PlannedSafe } from './creation-draft.ts'
import { type GivenCreation, parseGivenCreations } from './given-creations.ts'
import { text } from './text.ts'

/** It stands in the field: a longer text would take seconds to draw. */
const MAX_FILE_BYTES = 1_000_000

/** Takes Safes that were predicted by another tool: each is computed again, and reviewed like one that is made here. */
export function GivenSafeForm({ onReview }: { onReview: (planned: PlannedSafe) => void }) {
  const chains = useChains()
  const [chainId, setChainId] = useState(chains[0]?.chainId ?? 0)
  const [given, setGiven] = useState('')
  const [read, setRead] = useState<GivenCreation[] | 'none' | null>(null)
  const change = (next: string) => {
    setGiven(next)
    setRead(null)
  }
  return (
    <div className="mt-12" data-given-safe>
      <Section title={text('create.given')}>
        <p className="mb-4 max-w-prose text-ink-soft">{text('create.given.what')}</p>
        <Form
          submit={text('create.given.button')}
          isPrimary={false}
          state={{
            onSubmit: () => {
              const found = parseGivenCreations(given, chainId)
              setRead(found === null || found.length === 0 ? 'none' : found)
            },
          }}
        >
          <SelectField
            label={text('create.given.chain')}
            value={chainId}
            onChange={({ target }) => {
              setChainId(Number(target.value))
              setRead(null)
            }}
          >
            {chains.map((chain) => (
              <option key={chain.chainId} value={chain.chainId}>
                {chain.name}
              </option>
            ))}
          </SelectField>
          <TextField
            label={text('create.given.text')}
            hint={text('create.given.hint')}
            rows={5}
            isFigures
            spellCheck={false}
            autoComplete="off"
            value={given}
            error={read === 'none' ? text('create.given.none') : undefined}
            onChange={({ target }) => change(target.value)}
          />
          <FileField label={text('create.given.file')} maxBytes={MAX_FILE_BYTES} onText={change} />
        </Form>
        {read !== null && read !== 'none' && (
          <div className="mt-4">
            <Rows label={text('create.given')}>
              {read.map((found) => (
                <Row key={`${found.chainId} ${found.safeAddress}`}>
                  <GivenSafe found={found} onReview={onReview} />
                </Row>
              ))}
            </Rows>
          </div>
        )}
      </Section>
    </div>
  )
}

function GivenSafe({ found, onReview }: { found: GivenCreation; onReview: (planned: PlannedSafe) => void }) {
  const chain = useChains().find(({ chainId }) => chainId === found.chainId)
  return (
    <div className="grid gap-2">
      {found.safeAddress && <Address address={found.safeAddress} />}
      <p className="text-small text-ink-soft">
        {chain?.name ?? text('safes.chain.unknown', { chainId: found.chainId })}
      </p>
      {'error' in found ? (
        <Problem error={found.error} />
      ) : chain === undefined ? (
        <p className="text-small text-warning">{text('create.given.elsewhere')}</p>
      ) : (
        <div>
          <Button onClick={() => onReview(found.planned)}>{text('create.review')}</Button>
        </div>
      )}
    </div>
  )
}
