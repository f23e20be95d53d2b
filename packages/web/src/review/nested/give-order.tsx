import { hashCowOrder, parseCowOrder } from '@countersign/safe/calls'
import { useMutation } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { keepGivenOrder } from '../../evidence/approvals/given-orders.ts'
import { text } from '../../safe/text.ts'
import { fail } from '../../text/fail.ts'
import { GiveForm } from './give-form.tsx'

/** Takes the order that a signed digest stands for. */
export function GiveOrder({ chainId, digest }: { chainId: number; digest: Hex }) {
  const give = useMutation({
    networkMode: 'always',
    mutationFn: async (given: string) => {
      const computed = hashCowOrder(parseCowOrder(given), chainId)
      if (computed !== digest)
        throw fail('SAFE_TX_HASH_MISMATCH', { reason: 'fields', expected: computed, received: digest })
      keepGivenOrder(given)
    },
  })
  return (
    <GiveForm
      hash={digest}
      what={text('nested.give.order')}
      label={text('nested.give.order.label')}
      submit={text('nested.give.order.read')}
      give={give}
    />
  )
}
