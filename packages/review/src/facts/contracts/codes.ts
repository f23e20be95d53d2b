import { type Code, readCodes } from '@countersign/safe'
import { codeTargetsOfCreation } from '../../new-safe.ts'
import { codeTargets, counterpartiesOf, describeTransaction } from '../../targets.ts'
import { defineFact } from '../fact.ts'

/** A batch can pay hundreds; what the review itself needs is read all the same. */
const MAX_PARTIES = 50

/** Code by lower-case address: of everything that is called or paid; undefined where it was not read. */
export const codes = defineFact({
  id: 'codes',
  needs: (given) => {
    if (given.kind === 'creation') return { chainId: given.chainId, addresses: codeTargetsOfCreation(given) }
    if (given.kind !== 'transaction') return null
    const parties = counterpartiesOf(describeTransaction(given)).slice(0, MAX_PARTIES)
    return { chainId: given.chainId, addresses: [...new Set([...codeTargets(given), ...parties])] }
  },
  read(chain, { chainId, addresses }): Promise<Record<string, Code | undefined>> {
    return readCodes(chain(chainId), addresses)
  },
})
