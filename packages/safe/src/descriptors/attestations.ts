import { type Hex, keccak256, recoverTypedDataAddress, stringToHex, zeroAddress, zeroHash } from 'viem'
import { isSameAddress } from '../same-address.ts'
import type { DescriptorRegistry, SignedAttestation } from './registry.ts'

/** Ethereum's own contract of attestations, whose domain they are signed for. */
const domain = {
  name: 'EAS Attestation',
  version: '0.26',
  chainId: 1,
  verifyingContract: '0xA1207F3BBa224E2c9c3c6D5aF63D0eb1582Ce587',
} as const
/** Its schema `bytes32 descriptorHash`. */
const SCHEMA = '0xe023eef113c1670774801c34b377fdf612dd8a4d2fa92fe382e15bd91fafb5c2'
const types = {
  Attest: [
    { name: 'version', type: 'uint16' },
    { name: 'schema', type: 'bytes32' },
    { name: 'recipient', type: 'address' },
    { name: 'time', type: 'uint64' },
    { name: 'expirationTime', type: 'uint64' },
    { name: 'revocable', type: 'bool' },
    { name: 'refUID', type: 'bytes32' },
    { name: 'data', type: 'bytes' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

/**
 * The attestations of a descriptor whose signatures are those of their attesters, over exactly this descriptor (ERC-8176). Of
 * one that includes others there are none. Whether one was revoked since is on Ethereum alone, and not asked.
 *
 * @example
 * (await verifiedAttestations(await loadDescriptorRegistry(), 'registry/weth/calldata-weth.json'))[0]?.organization // 'Cyfrin'
 */
export async function verifiedAttestations(
  { attestations, descriptors }: Pick<DescriptorRegistry, 'attestations' | 'descriptors'>,
  path: string,
): Promise<SignedAttestation[]> {
  const [given, descriptor] = [attestations, descriptors].map((of) => (Object.hasOwn(of, path) ? of[path] : undefined))
  if (!Array.isArray(given) || descriptor === undefined || 'includes' in descriptor) return []
  const data = keccak256(stringToHex(canonicalJson(descriptor)))
  const isVerified = await Promise.all(given.map((one: SignedAttestation) => isSignedBy(one, data)))
  return given.filter((_, at) => isVerified[at])
}

async function isSignedBy({ attester, time, salt, signature }: SignedAttestation, data: Hex): Promise<boolean> {
  const message = {
    version: 2,
    schema: SCHEMA,
    recipient: zeroAddress,
    time: BigInt(time),
    expirationTime: 0n,
    revocable: true,
    refUID: zeroHash,
    data,
    salt,
  } as const
  try {
    const signer = await recoverTypedDataAddress({ domain, types, primaryType: 'Attest', message, signature })
    return isSameAddress(signer, attester)
  } catch {
    // No signature at all.
    return false
  }
}

/** JSON in its one form (RFC 8785): keys in order, no spaces. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}
