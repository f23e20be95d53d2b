import { describeCall } from '@countersign/safe/calls'
import { zeroAddress } from 'viem'
import { refuse } from '../wire/answers.ts'
import { parseFields } from '../wire/body-fields.ts'
import { toDecoded } from '../wire/decoded.ts'
import { readBody, type TxService } from '../wire/service.ts'

/** Decodes calldata by the functions that are known here. */
export function dataDecoderRoutes({ read }: TxService): void {
  read('POST', '/v1/data-decoder', async (call) => {
    const fields = parseFields(await readBody(call))
    const data = fields.hex('data', { min: 4 })
    const to = fields.address('to', { optional: true })
    fields.done(422)
    if (!data) return refuse(404)
    const described = describeCall({ to: to ?? zeroAddress, value: 0n, data, operation: 0, safeAddress: zeroAddress })
    return toDecoded(described) ?? refuse(404)
  })
}
