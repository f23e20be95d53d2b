import { encodeApprovedHash, encodeContractSignature } from '@countersign/safe'
import { concatHex, hashMessage, keccak256, numberToHex, slice } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { verifyGiven } from './given-signatures.ts'

const key = keccak256('0x01')
const { address: owner } = privateKeyToAccount(key)
const { address: other } = privateKeyToAccount(keccak256('0x02'))
const hash = keccak256('0x1234')
const version = '1.4.1'
const signature = await sign({ hash, privateKey: key, to: 'hex' })

async function ethSignature() {
  const made = await sign({ hash: hashMessage({ raw: hash }), privateKey: key, to: 'hex' })
  return concatHex([slice(made, 0, 64), numberToHex(Number(slice(made, 64)) + 4, { size: 1 })])
}

describe('verifyGiven', () => {
  test('default: keeps what belongs to the account that it is listed under, for this hash', async () => {
    const listed = [
      { owner, signature },
      { owner: other, signature },
      { owner, signature: '0x12' as const },
    ]
    expect(await verifyGiven(hash, listed, { version })).toEqual([
      { owner, signature, signatureType: 'EOA', isChecked: true },
    ])
    expect(await verifyGiven(keccak256('0x99'), listed, { version })).toEqual([])
  })

  test('behavior: eth_sign counts from 1.1.0 on', async () => {
    const listed = [{ owner, signature: await ethSignature() }]
    expect(await verifyGiven(hash, listed, { version: '1.1.1' })).toHaveLength(1)
    expect(await verifyGiven(hash, listed, { version: '1.0.0' })).toEqual([])
  })

  test('behavior: what only the chain can tell is left out when it says no, and kept unchecked when it is silent', async () => {
    const approval = { owner, signature: encodeApprovedHash(owner) }
    const ofContract = { owner: other, signature: encodeContractSignature(other, '0x12') }
    const yes = { approvedHashes: { [owner.toLowerCase()]: true }, contractSignatures: { [other.toLowerCase()]: true } }
    const no = {
      approvedHashes: { [owner.toLowerCase()]: false },
      contractSignatures: { [other.toLowerCase()]: false },
    }
    const listed = [approval, ofContract]
    expect(
      (await verifyGiven(hash, listed, { version, ...yes })).map((confirmation) => confirmation.isChecked),
    ).toEqual([true, true])
    expect(await verifyGiven(hash, listed, { version, ...no })).toEqual([])
    expect((await verifyGiven(hash, listed, { version })).map((confirmation) => confirmation.isChecked)).toEqual([
      false,
      false,
    ])
  })

  test('behavior: of one account, the signature that was checked', async () => {
    const listed = [
      { owner, signature: encodeApprovedHash(owner) },
      { owner, signature },
    ]
    expect(await verifyGiven(hash, listed, { version })).toMatchObject([{ signatureType: 'EOA' }])
  })
})
