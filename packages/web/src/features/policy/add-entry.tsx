import { type AllowEntry, type AllowEntryKind, allowEntryKinds, readImplementation } from '@countersign/review'
import { readCodes } from '@countersign/safe'
import { useMutation } from '@tanstack/react-query'
import { type Hex, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { fail } from '../../text/fail.ts'
import { AddressField } from '../../ui/form/address-field.tsx'
import { Field, SelectField } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { parseAddressField, parseRequired } from '../../ui/form/typed-field.ts'
import type { Place } from './policy-words.ts'
import { text } from './text.ts'

type Asked = { kind: AllowEntryKind; address: `0x${string}`; selector: Hex | null; name: string }

/** Adds an allow entry: this browser reads the code at the address, and behind a proxy, at this moment. */
export function AddEntry({ place, onEntry }: { place: Place; onEntry: (entry: AllowEntry) => void }) {
  const chain = useChain(place.chainId)
  const reading = useMutation({
    mutationFn: async (asked: Asked): Promise<AllowEntry> => {
      const request = chainRequest(place.chainId)
      const [codes, behind] = await Promise.all([
        readCodes(request, [asked.address]),
        readImplementation(request, asked.address),
      ])
      const code = codes[asked.address.toLowerCase()]
      if (code === undefined || behind === undefined)
        throw fail('CHAIN_UNREACHABLE', { reason: 'silent', chainId: place.chainId, name: chain?.name ?? '' })
      if (code.size === 0)
        throw fail('NOT_A_CONTRACT_ACCOUNT', { address: asked.address, name: chain?.name ?? String(place.chainId) })
      const implementation = behind?.address ?? null
      return { ...asked, codeHash: code.codeHash, implementation, implementationCodeHash: behind?.codeHash ?? null }
    },
    onSuccess: onEntry,
  })
  const form = useForm({
    start: { kind: 'delegatecall' as AllowEntryKind, address: '', selector: '', name: '' },
    read: ({ kind, address, selector, name }) => ({
      kind: { value: kind },
      address: parseAddressField(address),
      selector: parseSelector(kind, selector),
      name: parseRequired(name, text('policy.form.name.missing')),
    }),
    sending: reading,
  })
  return (
    <Form
      title={text('policy.form.entry')}
      submit={text('policy.form.entry.add')}
      isPrimary={false}
      busy={text('policy.form.reading')}
      state={form.state}
    >
      <SelectField label={text('policy.form.kind')} {...form.field('kind')}>
        {allowEntryKinds.map((kind) => (
          <option key={kind} value={kind}>
            {text('policy.form.kind.of', { kind })}
          </option>
        ))}
      </SelectField>
      <AddressField label={text('policy.form.address')} {...form.field('address')} />
      {form.typed.kind === 'delegatecall' && (
        <Field
          label={text('policy.form.selector')}
          hint={text('policy.form.selector.hint')}
          isFigures
          {...form.field('selector')}
        />
      )}
      <Field label={text('policy.form.name')} maxLength={60} {...form.field('name')} />
    </Form>
  )
}

function parseSelector(kind: AllowEntryKind, typed: string): { value: Hex | null } | { error: string } {
  if (kind !== 'delegatecall') return { value: null }
  const selector = typed.trim().toLowerCase()
  return isHex(selector) && selector.length === 10 ? { value: selector } : { error: text('policy.form.selector.wrong') }
}
