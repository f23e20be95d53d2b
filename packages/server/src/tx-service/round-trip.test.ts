import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { addSafe, call } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import type ApiKit from '@safe-global/api-kit'
import Safe, { buildContractSignature, buildSignatureBytes, hashSafeMessage } from '@safe-global/protocol-kit'
import { type Address, createPublicClient, type Hex, http, parseAbi } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { kitSettings } from '../test/kit-settings.ts'
import { createActor } from '../test/safe-actor.ts'
import { devnet, openScene, server } from '../test/scene.ts'
import { eventually, newSafe, signInAs } from '../test/test-server.ts'
import { newTxClient } from '../test/tx-client.ts'

/* The packages that scripts use, as they are: api-kit speaks with this server, protocol-kit signs and executes. */

const [alice, bob, carol] = demoAccounts
const chainId = 31337
/** A method of the kit's `SigningMethod`, which it does not export. */
const SAFE_SIGNATURE = 'safe_sign'

let safeAddress: Address
let ofAlice: { api: ApiKit; protocol: Safe }
let ofBob: { api: ApiKit; protocol: Safe }

openScene([])

beforeAll(async () => {
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
  await createActor(devnet.rpcUrl).send({ to: safeAddress, value: 10n ** 18n })
  const open = async (account: typeof alice | typeof bob) => {
    const browser = await signInAs(server, account)
    await call(browser, addSafe, { chainId, address: safeAddress })
    return {
      api: (await newTxClient(server, browser)).kit,
      protocol: await Safe.init({ ...kitSettings(devnet.rpcUrl, '1.4.1'), signer: account.privateKey, safeAddress }),
    }
  }
  ofAlice = await open(alice)
  ofBob = await open(bob)
})

describe('api-kit and protocol-kit', () => {
  test('default: propose, confirm, execute, and read that it was', async () => {
    const { api, protocol } = ofAlice
    const nonce = Number(await api.getNextNonce(safeAddress))
    const made = await protocol.createTransaction({
      transactions: [{ to: carol.address, value: '1000', data: '0x' }],
      options: { nonce },
    })
    const safeTxHash = await protocol.getTransactionHash(made)
    const { data: senderSignature } = await protocol.signHash(safeTxHash)
    await api.proposeTransaction({
      safeAddress,
      safeTxHash,
      senderAddress: alice.address,
      senderSignature,
      origin: 'a script',
      safeTransactionData: made.data,
    })
    expect((await ofBob.api.getPendingTransactions(safeAddress)).results).toMatchObject([
      { safeTxHash, proposer: alice.address, origin: 'a script', confirmations: [{ owner: alice.address }] },
    ])
    const ofBobs = await ofBob.protocol.signHash(safeTxHash)
    expect(await ofBob.api.confirmTransaction(safeTxHash, ofBobs.data)).toEqual({ signature: ofBobs.data })
    expect((await api.getTransactionConfirmations(safeTxHash)).count).toBe(2)

    const { hash } = await ofBob.protocol.executeTransaction(await ofBob.api.getTransaction(safeTxHash))
    const executed = await eventually(async () => {
      const found = await api.getTransaction(safeTxHash)
      return found.isExecuted && found
    })
    expect(executed).toMatchObject({ isSuccessful: true, transactionHash: hash, executor: bob.address, trusted: true })
    expect(await api.getNextNonce(safeAddress)).toBe(String(nonce + 1))
    expect((await api.getSafeInfo(safeAddress)).nonce).toBe(String(nonce + 1))
  })

  test('behavior: the script of docs/tx-service.md does what it says', async () => {
    const page = readFileSync(new URL('../../../../docs/tx-service.md', import.meta.url), 'utf8')
    const [, script = ''] = /```js\n(.*?)```/s.exec(page) ?? []
    const fresh = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
    await createActor(devnet.rpcUrl).send({ to: fresh, value: 10n ** 18n })
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: {
        ...process.env,
        HOST: server.origin,
        RPC: devnet.rpcUrl,
        SAFE: fresh,
        CHAIN_ID: String(chainId),
        KEYS: `${alice.privateKey} ${bob.privateKey}`,
      },
    })
    const { hash, ...executed } = JSON.parse(stdout)
    expect(executed).toMatchObject({
      safe: fresh,
      nonce: '0',
      value: '1000',
      isExecuted: true,
      isSuccessful: true,
      transactionHash: hash,
      proposer: alice.address,
      executor: bob.address,
      origin: 'A script',
      confirmations: [{ owner: alice.address }, { owner: bob.address }],
    })
  })

  test('behavior: a batch is decoded and estimated', async () => {
    const { api, protocol } = ofAlice
    const made = await protocol.createTransaction({
      transactions: [
        { to: carol.address, value: '1', data: '0x' },
        { to: bob.address, value: '2', data: '0x' },
      ],
    })
    expect(await api.decodeData(made.data.data)).toMatchObject({
      method: 'multiSend',
      parameters: [
        {
          valueDecoded: [
            { to: carol.address, value: '1' },
            { to: bob.address, value: '2' },
          ],
        },
      ],
    })
    const { to, value, data, operation } = made.data
    expect(await api.estimateSafeTransaction(safeAddress, { to, value, data, operation })).toEqual({ safeTxGas: '0' })
  })

  test('behavior: a message of both owners is what the Safe itself accepts', async () => {
    const { api, protocol } = ofAlice
    const message = 'I am the owner of this Safe'
    const made = protocol.createMessage(message)
    const signed = await protocol.signMessage(made)
    await api.addMessage(safeAddress, { message, signature: signed.encodedSignatures() })
    const messageHash = await protocol.getSafeMessageHash(hashSafeMessage(message))
    const byBob = await ofBob.protocol.signMessage(ofBob.protocol.createMessage(message))
    await ofBob.api.addMessageSignature(messageHash, byBob.encodedSignatures())
    const stored = await api.getMessage(messageHash)
    expect(stored.confirmations.map(({ owner }) => owner)).toEqual([alice.address, bob.address])
    expect(await isAccepted(safeAddress, message, stored.preparedSignature)).toBe(true)
  })

  test.each([
    ['1.3.0', '1.3.0', true],
    ['1.4.1', '1.4.1', true],
    ['1.5.0', '1.5.0', true],
    // protocol-kit signs what a Safe of the owner's version asks for: the hash of the message in 1.3.0, the bytes behind the outer
    // Safe's hash in 1.4.1, that hash in 1.5.0. The outer Safe asks by its own version.
    ['1.3.0', '1.4.1', false],
    ['1.4.1', '1.3.0', false],
    ['1.4.1', '1.5.0', false],
    ['1.5.0', '1.4.1', false],
  ] as const)(
    'behavior: a Safe %s takes a message from an owner that is a Safe %s as the chain does',
    async (version, of, isRight) => {
      const nested = await newSafe(devnet.rpcUrl, { version: of, owners: [bob.address, carol.address], threshold: 2 })
      const outer = await newSafe(devnet.rpcUrl, { version, owners: [alice.address, nested] })
      const browser = await signInAs(server, alice)
      await call(browser, addSafe, { chainId, address: outer })
      const { kit: api } = await newTxClient(server, browser)
      const kitOf = (account: typeof alice | typeof bob | typeof carol, at: Address, its: typeof version | typeof of) =>
        Safe.init({ ...kitSettings(devnet.rpcUrl, its), signer: account.privateKey, safeAddress: at })

      const message = `I own ${outer}`
      const ofOuter = await kitOf(alice, outer, version)
      const byAlice = await ofOuter.signMessage(ofOuter.createMessage(message))
      await api.addMessage(outer, { message, signature: byAlice.encodedSignatures() })
      const messageHash = await ofOuter.getSafeMessageHash(hashSafeMessage(message))

      let ofNested = ofOuter.createMessage(message)
      for (const account of [bob, carol])
        ofNested = await (await kitOf(account, nested, of)).signMessage(ofNested, SAFE_SIGNATURE, outer)
      const byNested = await buildContractSignature([...ofNested.signatures.values()], nested)
      const both = buildSignatureBytes([...byAlice.signatures.values(), byNested])
      const added = api.addMessageSignature(messageHash, buildSignatureBytes([byNested])).then(
        () => true,
        (error: Error) => error.message,
      )
      expect(await isAccepted(outer, message, both)).toBe(isRight)
      if (!isRight) {
        expect(await added).toMatch(new RegExp(`^Signature=0x\\w+ for owner=${nested} is not valid$`))
        return
      }
      expect(await added).toBe(true)
      const stored = await api.getMessage(messageHash)
      expect(stored.confirmations).toMatchObject([
        { owner: alice.address, signatureType: 'EOA' },
        { owner: nested, signatureType: 'CONTRACT_SIGNATURE' },
      ])
      expect(await isAccepted(outer, message, stored.preparedSignature)).toBe(true)
    },
  )

  test('error: what a rule refuses reaches the program as its words', async () => {
    const { api, protocol } = ofAlice
    const made = await protocol.createTransaction({ transactions: [{ to: carol.address, value: '5', data: '0x' }] })
    const safeTxHash = await protocol.getTransactionHash(made)
    const { data: senderSignature } = await ofBob.protocol.signHash(safeTxHash)
    const proposal = { safeAddress, safeTxHash, senderAddress: alice.address, senderSignature }
    await expect(api.proposeTransaction({ ...proposal, safeTransactionData: made.data })).rejects.toThrow(
      `Signature does not match sender=${alice.address}`,
    )
  })
})

/** Asks the Safe as an application does, by ERC-1271. */
function isAccepted(address: Address, message: string, signature: string): Promise<boolean> {
  const chain = createPublicClient({ transport: http(devnet.rpcUrl) })
  return chain
    .readContract({
      address,
      abi: parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)']),
      functionName: 'isValidSignature',
      args: [hashSafeMessage(message) as Hex, signature as Hex],
    })
    .then(
      (answer) => answer === '0x1626ba7e',
      () => false,
    )
}
