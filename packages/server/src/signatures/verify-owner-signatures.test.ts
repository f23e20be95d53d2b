import { demoAccounts, deployHostileAccount, hostileManners } from '@countersign/devnet'
import {
  domainVersion,
  encodeApprovedHash,
  encodeContractSignature,
  encodeSafeTxPreimage,
  encodeSignatures,
  hashSafeMessage,
  hashSafeTx,
  nestedContentForSafeTx,
  newSafeTx,
  type SafeTx,
} from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, concat, encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Chain, createChains } from '../rpc/clients.ts'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, devnet, openChain } from '../test/scene.ts'
import { codeOf, devnetChain, newSafe, signedTx } from '../test/test-server.ts'
import { type SignaturesToVerify, type VerifiedSignature, verifyOwnerSignatures } from './verify-owner-signatures.ts'

const [alice, bob, carol, stranger] = demoAccounts
const chainId = 31337

let chain: Chain

openChain()

beforeAll(async () => {
  chain = chainAt(devnet.rpcUrl)
})

function chainAt(rpcUrl: string): Chain {
  const found = createChains([devnetChain(rpcUrl)]).get(chainId)
  if (!found) throw new Error('unreachable')
  return found
}

type Version = '1.3.0' | '1.4.1' | '1.5.0'

/** A transaction of a Safe with these owners, as it stands now. */
async function transactionOf(owners: readonly Address[], version: Version = '1.4.1') {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners, threshold: 1, version })
  const safeTx: SafeTx = newSafeTx({ to: carol.address, nonce: 0n })
  const context = { chainId, safeAddress, version, safeTx }
  const { safeTxHash: hash } = hashSafeTx(context)
  const preimage = encodeSafeTxPreimage(context)
  const verify = async (signatures: Hex, changes: Partial<SignaturesToVerify> = {}, at = chain) => {
    const state = await chain.readSafe(safeAddress)
    expect(domainVersion(state).startsWith(version)).toBe(true)
    const given = { state, hash, preimage, signatures, hasApprovals: true, ...changes }
    return verifyOwnerSignatures(at, given)
  }
  return { safeAddress, safeTx, hash, context, verify }
}

function signHash(account: { privateKey: Hex }, hash: Hex): Promise<Hex> {
  return sign({ hash, privateKey: account.privateKey, to: 'hex' })
}

/** It executes with what was verified: the chain has the last word. */
async function execute(safeAddress: Address, safeTx: SafeTx, verified: readonly VerifiedSignature[]): Promise<void> {
  await actor.send({ to: safeAddress, data: encodeExecTransaction(safeTx, encodeSignatures(verified)) })
}

/** Accepts every signature, as long as one account asks, in whichever words. */
function acceptingFrom(asker: Address): Hex {
  return concat(['0x73', asker, '0x3314601d575f5ffd5b5f3563ffffffff60e01b165f5260205ff3'])
}

const likeMagic = /^answers the magic in a megabyte|in two words|with something behind it$/

function freshAddress(): Address {
  return privateKeyToAddress(generatePrivateKey())
}

describe('keys', () => {
  test('default: one and several, in any order, with padding behind', async () => {
    const { hash, verify } = await transactionOf([alice.address, bob.address])
    const [alices, bobs] = await Promise.all([signHash(alice, hash), signHash(bob, hash)])
    const signatures = await verify(alices)
    expect(signatures).toMatchObject([{ owner: alice.address, signatureType: 'EOA', signature: alices }])
    expect(signatures[0]?.verifiedBlock).toBeGreaterThan(0)
    for (const both of [concat([alices, bobs]), concat([bobs, alices]), concat([alices, bobs, `0x${'00'.repeat(64)}`])])
      expect((await verify(both)).map(({ owner }) => owner).sort()).toEqual([alice.address, bob.address].sort())
  })

  test('behavior: no node is asked', async () => {
    const { hash, verify } = await transactionOf([alice.address])
    expect(await verify(await signHash(alice, hash), {}, chainAt('http://127.0.0.1:9'))).toHaveLength(1)
  })

  test('behavior: only of those who are asked for', async () => {
    const { hash, verify } = await transactionOf([alice.address])
    const signatures = await signHash(stranger, hash)
    expect(await codeOf(verify(signatures))).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await verify(signatures, { signers: [stranger.address] })).toMatchObject([{ owner: stranger.address }])
  })

  test('error: SIGNATURE_NOT_FROM_OWNER, SIGNATURE_DUPLICATED, SIGNATURE_MALFORMED, SIGNATURE_KIND_NOT_SUPPORTED', async () => {
    const { hash, verify } = await transactionOf([alice.address, bob.address])
    const [alices, bobs] = await Promise.all([signHash(alice, hash), signHash(bob, hash)])
    expect(await codeOf(verify(concat([alices, await signHash(stranger, hash)])))).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await codeOf(verify(await signHash(alice, `0x${'12'.repeat(32)}`)))).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await codeOf(verify(concat([alices, alices])))).toBe('SIGNATURE_DUPLICATED')
    for (const wrong of [
      '0x',
      '0x1234',
      `${alices.slice(0, -2)}05`,
      concat([alices, bobs.slice(0, -2) as Hex, '0x63']),
    ])
      expect(await codeOf(verify(wrong as Hex))).toBe('SIGNATURE_MALFORMED')
    expect(await codeOf(verify(`${alices.slice(0, -2)}02` as Hex))).toBe('SIGNATURE_KIND_NOT_SUPPORTED')
  })
})

describe('approved hashes', () => {
  test('default: once the owner has approved, at the block of the state', async () => {
    const { safeAddress, safeTx, hash, verify } = await transactionOf([alice.address])
    const signatures = encodeApprovedHash(alice.address)
    expect(await codeOf(verify(signatures))).toBe('SIGNATURE_INVALID')
    const before = await chain.readSafe(safeAddress)
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'approveHash', args: [hash] })
    await actor.send({ from: alice.address, to: safeAddress, data })
    expect(await codeOf(verify(signatures, { state: before }))).toBe('SIGNATURE_INVALID')
    const verified = await verify(signatures)
    expect(verified).toMatchObject([{ owner: alice.address, signatureType: 'APPROVED_HASH', signature: signatures }])
    await execute(safeAddress, safeTx, verified)
  })

  test('error: SIGNATURE_KIND_NOT_SUPPORTED under a message', async () => {
    const { verify } = await transactionOf([alice.address])
    expect(await codeOf(verify(encodeApprovedHash(alice.address), { hasApprovals: false }))).toBe(
      'SIGNATURE_KIND_NOT_SUPPORTED',
    )
  })
})

describe('contracts', () => {
  test.each<Version>(['1.3.0', '1.4.1', '1.5.0'])('default: a Safe that is an owner, %s', async (version) => {
    const nested = await newSafe(devnet.rpcUrl, { owners: [bob.address], threshold: 1, version })
    const { safeAddress, safeTx, hash, context, verify } = await transactionOf([alice.address, nested], version)
    const content = nestedContentForSafeTx(context)
    const { safeMessageHash } = hashSafeMessage({ chainId, safeAddress: nested, version, content })
    const signature = encodeContractSignature(nested, await signHash(bob, safeMessageHash))
    const verified = await verify(signature)
    expect(verified).toMatchObject([{ owner: nested, signatureType: 'CONTRACT_SIGNATURE', signature }])

    const alices = await signHash(alice, hash)
    const both = encodeSignatures([
      { owner: nested, signature },
      { owner: alice.address, signature: alices },
    ])
    const together = await verify(both)
    expect(together).toContainEqual({ ...verified[0], verifiedBlock: together[0]?.verifiedBlock })
    expect(together).toHaveLength(2)

    const flipped = `${signature.slice(0, -4)}${signature.slice(-4, -2) === '00' ? '01' : '00'}${signature.slice(-2)}`
    expect(await codeOf(verify(flipped as Hex))).toBe('SIGNATURE_INVALID')
    const bare = encodeContractSignature(nested, await signHash(bob, hash))
    expect(await codeOf(verify(bare))).toBe('SIGNATURE_INVALID')
    await execute(safeAddress, safeTx, verified)
  })

  test('behavior: the Safe is who asks', async () => {
    const owner = freshAddress()
    const { safeAddress, safeTx, verify } = await transactionOf([owner])
    const signature = encodeContractSignature(owner, '0x1234')
    expect(await codeOf(verify(signature))).toBe('SIGNATURE_INVALID')
    await actor.rpc('anvil_setCode', owner, acceptingFrom(stranger.address))
    expect(await codeOf(verify(signature))).toBe('SIGNATURE_INVALID')
    await actor.rpc('anvil_setCode', owner, acceptingFrom(safeAddress))
    const verified = await verify(signature)
    expect(verified).toHaveLength(1)
    await execute(safeAddress, safeTx, verified)
  })

  test.each(hostileManners)('behavior: a contract that %s has not signed', async (manner) => {
    const owner = await deployHostileAccount(devnet.rpcUrl, demoAccounts[9].address, manner)
    for (const version of ['1.4.1', '1.5.0'] as const) {
      const { safeAddress, safeTx, verify } = await transactionOf([owner], version)
      const signature = encodeContractSignature(owner, '0x')
      // A Safe reads the first four bytes alone, which are those of the question: it takes these for a yes.
      const isYes = manner === 'echoes the question' || (version === '1.5.0' && likeMagic.test(manner))
      expect(await codeOf(verify(signature))).toBe(isYes ? 'no error' : 'SIGNATURE_INVALID')
      if (isYes && !manner.includes('megabyte')) await execute(safeAddress, safeTx, await verify(signature))
    }
  })

  test('error: CHAIN_UNREACHABLE, which says nothing about the signature', async () => {
    const owner = freshAddress()
    const { safeAddress, verify } = await transactionOf([owner, alice.address])
    await actor.rpc('anvil_setCode', owner, acceptingFrom(safeAddress))
    const dead = chainAt('http://127.0.0.1:9')
    expect(await codeOf(verify(encodeContractSignature(owner, '0x'), {}, dead))).toBe('CHAIN_UNREACHABLE')
    expect(await codeOf(verify(encodeApprovedHash(alice.address), {}, dead))).toBe('CHAIN_UNREACHABLE')
  })

  test('error: SIGNATURE_NOT_FROM_OWNER without asking a stranger, SIGNATURE_MALFORMED for bytes that two share', async () => {
    const { verify } = await transactionOf([alice.address])
    const dead = chainAt('http://127.0.0.1:9')
    expect(await codeOf(verify(encodeContractSignature(stranger.address, '0x'), {}, dead))).toBe(
      'SIGNATURE_NOT_FROM_OWNER',
    )
    const signature = encodeContractSignature(alice.address, '0x1234')
    expect(await codeOf(verify(concat([signature, `0x${'11'.repeat(65)}`])))).toBe('SIGNATURE_MALFORMED')
    const elsewhere = `${signature.slice(0, 2 + 126)}ff${signature.slice(2 + 128)}` as Hex
    expect(await codeOf(verify(elsewhere))).toBe('SIGNATURE_MALFORMED')
  })
})

test('signedTx signs what is verified', async () => {
  const { safeAddress, verify } = await transactionOf([alice.address])
  const { signature } = await signedTx(safeAddress, alice, { to: carol.address })
  expect(await verify(signature)).toHaveLength(1)
})
