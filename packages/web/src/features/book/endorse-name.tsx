import { type NamedAddress, nameAddress } from '@countersign/contract'
import { nameTypedData } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { requireSigner } from '../../review/sign/sign.ts'
import { signAsAccount } from '../../safe/sign-as-account.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { useSession } from '../../wallet/index.ts'
import { type Signer, useSigner } from '../../wallet/signing.ts'
import { EndorseButton } from './endorse-button.tsx'
import { text } from './text.ts'

type Place = { chainId: number; safeAddress: Address }

/** Has the wallet sign a name, and keeps both as the account's own. */
export async function signName(signer: Signer | null, place: Place, given: { address: Address; name: string }) {
  const signature = await signAsAccount(requireSigner(signer), nameTypedData({ ...place, ...given }))
  return api(nameAddress, { ...place, ...given, signature })
}

/** The button by which an owner signs the name of another account, or one's own that is not signed yet. */
export function EndorseName({
  entry,
  place,
  same,
  signed,
}: {
  entry: NamedAddress
  place: Place
  /** Every entry that says the same, this one among them. */
  same: readonly NamedAddress[]
  /** Those among them that their authors signed. */
  signed: readonly NamedAddress[]
}) {
  const { session } = useSession()
  const signer = useSigner()
  const isReader = ({ author }: NamedAddress) => session !== null && isSameAddress(author, session.address)
  const isOwn = isReader(entry)
  // The reader's own entry of the same name has the button.
  if (signed.some(isReader) || (!isOwn && same.some(isReader))) return null
  const name = showUntrusted(entry.name, 60)
  return (
    <EndorseButton
      isOwn={isOwn}
      name={text(isOwn ? 'book.name.sign.of' : 'book.name.endorse.of', { name })}
      sentence={text(isOwn ? 'book.name.sign.sure' : 'book.name.endorse.sure', { name })}
      place={place}
      endorse={() => signName(signer, place, { address: entry.address, name: entry.name })}
    />
  )
}
