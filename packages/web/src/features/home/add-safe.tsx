import { addSafe, type Safe } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChains } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { text } from '../../text/text.ts'
import { AddressField } from '../../ui/address-field.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { readAddress } from '../../ui/typed-address.ts'
import { Writing } from '../../wallet/index.ts'

/** Adds a Safe by chain and address; it is read from the chain before it is added. */
export function AddSafe() {
  const chains = useChains()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [chainId, setChainId] = useState(chains[0]?.chainId ?? 0)
  const [typed, setTyped] = useState('')
  const [isAsked, setIsAsked] = useState(false)
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
  const read = readAddress(typed)
  return (
    <Section title={text('safes.add.title')}>
      <Writing>
        <form
          noValidate
          className="grid max-w-xl gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            setIsAsked(true)
            if (read.ok && !add.isPending) add.mutate({ chainId, address: read.address })
          }}
        >
          <SelectField
            label={text('safes.add.chain')}
            value={chainId}
            onChange={(event) => {
              setChainId(Number(event.target.value))
              add.reset()
            }}
          >
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
          <AddressField
            label={text('safes.add.address')}
            typed={typed}
            isAsked={isAsked}
            onType={(next) => {
              setTyped(next)
              add.reset()
            }}
          />
          {add.error && <Problem error={add.error} />}
          <div>
            <Button type="submit" variant="primary" busy={add.isPending ? text('safes.add.busy') : undefined}>
              {text('safes.add.button')}
            </Button>
          </div>
        </form>
      </Writing>
    </Section>
  )
}
