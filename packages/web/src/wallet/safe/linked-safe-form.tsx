import { useMutation } from '@tanstack/react-query'
import { useChains } from '../../api/configuration.ts'
import { AddressField } from '../../ui/form/address-field.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { parseAddressField } from '../../ui/form/typed-field.ts'
import type { WaitingView as View } from '../connectors/waiting-view.ts'
import { text } from '../text.ts'
import { giveLinkedSafe } from './linked-safe-connector.ts'
import type { SafeAccount } from './safe-app.ts'

/** Which Safe somebody wants to sign in as. */
export const WaitingView: View = () => {
  const chains = useChains()
  const sending = useMutation({ mutationFn: async (safe: SafeAccount) => giveLinkedSafe(safe) })
  const form = useForm({
    start: { chainId: String(chains[0]?.chainId ?? 0), address: '' },
    read: ({ chainId, address }) => ({ chainId: { value: Number(chainId) }, address: parseAddressField(address) }),
    sending,
  })
  return (
    <>
      <p className="text-ink-soft">{text('wallet.link.what')}</p>
      <Form submit={text('wallet.link.go')} state={form.state}>
        <SelectField label={text('wallet.link.chain')} {...form.field('chainId')}>
          {chains.map(({ chainId, name }) => (
            <option key={chainId} value={chainId}>
              {name}
            </option>
          ))}
        </SelectField>
        <AddressField label={text('wallet.link.address')} {...form.field('address')} />
      </Form>
    </>
  )
}
