import { addSafe, type Safe } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useChains } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { AddressField } from '../../ui/form/address-field.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { parseAddressField } from '../../ui/form/typed-field.ts'
import { Section } from '../../ui/section.tsx'
import { WritingForm } from '../../wallet/signing.ts'
import { text } from './text.ts'

/** Adds a Safe by chain and address; it is read from the chain before it is added. */
export function AddSafe() {
  const chains = useChains()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const add = useMutation({
    mutationFn: (input: Pick<Safe, 'chainId' | 'address'>) => api(addSafe, input),
    onSuccess: async (safe) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.safes })
      await navigate({
        to: '/safes/$chainId/$safeAddress',
        params: { chainId: safe.chainId, safeAddress: safe.address },
      })
    },
  })
  const form = useForm({
    start: { chainId: String(chains[0]?.chainId ?? 0), address: '' },
    read: ({ chainId, address }) => ({ chainId: { value: Number(chainId) }, address: parseAddressField(address) }),
    sending: add,
  })
  return (
    <Section title={text('safes.add.title')} anchor="add">
      <WritingForm submit={text('safes.add.button')} busy={text('safes.add.busy')} isPrimary={false} state={form.state}>
        <SelectField label={text('safes.add.chain')} {...form.field('chainId')}>
          {chains.map((chain) => (
            <option key={chain.chainId} value={chain.chainId}>
              {chain.status === 'ok'
                ? chain.name
                : text(chain.status === 'unreachable' ? 'safes.chain.unreachable' : 'safes.chain.wrong', {
                    name: chain.name,
                  })}
            </option>
          ))}
        </SelectField>
        <AddressField label={text('safes.add.address')} {...form.field('address')} />
      </WritingForm>
    </Section>
  )
}
