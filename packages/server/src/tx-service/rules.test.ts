import { addSafe, call } from '@countersign/contract'
import { type DemoAccount, demoAccounts } from '@countersign/devnet'
import { encodeApprovedHash, encodeSignatures, type SafeTx } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { delegateTypedData, deleteRequestTypedData, serviceHour } from '@countersign/safe/service'
import { type Address, concatHex, encodeFunctionData, getAddress, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, asAlice, devnet, openScene, server } from '../test/scene.ts'
import { eventually, newSafe, signedTx, signInAs } from '../test/test-server.ts'
import { newTxClient, type TxClient } from '../test/tx-client.ts'

/* The rules for what is written, each with its exact answer. The cases that clients share are in conformance.test.ts. */

const [alice, bob, carol, dave] = demoAccounts
const chainId = 31337
const nobody = getAddress('0x5afe000000000000000000000000000000005afe')

let client: TxClient
let safeAddress: Address
let nonce = 100n

openScene([alice], () => ({ hasRateLimits: false }))

beforeAll(async () => {
  client = await newTxClient(server, asAlice)
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  await name(dave)
})

const key = ({ privateKey }: DemoAccount) => privateKeyToAccount(privateKey)
const hour = () => serviceHour(Date.now() / 1000)
const together = (message: unknown) => ({ nonFieldErrors: [message] })
const confirm = (hash: string, signature: unknown) =>
  client.post(`/v1/multisig-transactions/${hash}/confirmations/`, { signature })
const detail = async (hash: Hex) => (await client.ask(`/v2/multisig-transactions/${hash}/`)).body
const post = (body: unknown, to = safeAddress) => client.post(`/v2/safes/${to}/multisig-transactions/`, body)

async function name(delegate: DemoAccount, method: 'POST' | 'DELETE' = 'POST'): Promise<void> {
  const signature = await key(alice).signTypedData(
    delegateTypedData({ chainId, delegate: delegate.address, totp: hour() }),
  )
  const body = { safe: safeAddress, delegate: delegate.address, delegator: alice.address, label: 'L', signature }
  const path = method === 'POST' ? '/v2/delegates/' : `/v2/delegates/${delegate.address}/`
  expect((await client.post(path, body, method)).status).toBe(method === 'POST' ? 201 : 204)
}

/** A proposal of its own nonce, if not said otherwise. */
async function proposal(fields: Partial<SafeTx> = {}, account: DemoAccount = alice) {
  nonce += 1n
  const made = await signedTx(safeAddress, account, { nonce, ...fields })
  const { safeTx, safeTxHash, signature, sender } = made
  const body: Record<string, unknown> = {
    ...safeTx,
    ...Object.fromEntries(
      Object.entries(safeTx).map(([field, value]) => [field, typeof value === 'bigint' ? String(value) : value]),
    ),
    contractTransactionHash: safeTxHash,
    sender,
    signature,
  }
  return { ...made, body }
}

describe('fields of a proposal', () => {
  test('error: 422, each by its name', async () => {
    const { body } = await proposal()
    const integer = ['A valid integer is required.']
    const negative = ['Ensure this value is greater than or equal to 0.']
    const required = ['This field is required.']
    const cases: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ sender: zeroAddress }, { sender: ['0x0 address is not allowed'] }],
      [{ sender: '0x0000000000000000000000000000000000000001' }, { sender: ['0x1 address is not allowed'] }],
      [{ value: 'x' }, { value: integer }],
      [{ value: '0x10' }, { value: integer }],
      [{ value: 1.5 }, { value: integer }],
      [{ value: -1 }, { value: negative }],
      [{ value: '-1' }, { value: negative }],
      [{ value: null }, { value: ['This field may not be null.'] }],
      [{ value: '1'.repeat(1_001) }, { value: ['String value too large.'] }],
      [
        { safeTxGas: -1, baseGas: [], gasPrice: {} },
        { safeTxGas: negative, baseGas: integer, gasPrice: integer },
      ],
      [{ data: '0xzz' }, { data: ['zz is not a hexadecimal value.'] }],
      [
        { contractTransactionHash: '0x12' },
        { contractTransactionHash: ['Ensure this field has at least 32 hexadecimal chars (not counting 0x).'] },
      ],
      [{ gasToken: nobody.toLowerCase() }, { gasToken: [`Address ${nobody.toLowerCase()} is not checksumed`] }],
      [{ refundReceiver: 7 }, { refundReceiver: ['Address 7 is not checksumed'] }],
      [
        { to: undefined, value: undefined, operation: undefined, sender: undefined, nonce: undefined },
        { to: required, value: required, operation: required, sender: required, nonce: required },
      ],
      [
        { safeTxGas: undefined, baseGas: undefined, gasPrice: undefined, contractTransactionHash: undefined },
        { safeTxGas: required, baseGas: required, gasPrice: required, contractTransactionHash: required },
      ],
    ]
    for (const [changes, said] of cases)
      expect(await post({ ...body, ...changes })).toMatchObject({ status: 422, body: said })
  })

  test('behavior: gas and nonces of any size keep their digits: numbers in v1, texts in v2', async () => {
    const most = 2n ** 256n - 1n
    const fields = { nonce: most, safeTxGas: most - 1n, baseGas: most - 2n, gasPrice: most - 3n }
    const { body, safeTxHash } = await proposal(fields)
    expect(await post(body)).toMatchObject({ status: 201, body: '' })
    const texts = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]))
    for (const list of [`safes/${safeAddress}/multisig-transactions`, `multisig-transactions/${safeTxHash}`]) {
      expect(JSON.parse((await client.ask(`/v2/${list}/`)).text)).toMatchObject(
        list.startsWith('safes') ? { results: expect.arrayContaining([expect.objectContaining(texts)]) } : texts,
      )
      const { text } = await client.ask(`/v1/${list}/`)
      for (const [field, value] of Object.entries(texts))
        expect(text).toContain(field === 'gasPrice' ? `"gasPrice":"${value}"` : `"${field}":${value}`)
    }
  })

  test('behavior: what may be left out or written otherwise', async () => {
    const { body, safeTxHash, safeTx } = await proposal({ to: zeroAddress, gasPrice: 3n })
    const { safeTxGas, gasToken: _, refundReceiver: __, ...rest } = body
    const written = {
      ...rest,
      safe_tx_gas: `${safeTxGas}.0`,
      gasPrice: 3,
      nonce: Number(safeTx.nonce),
      data: '',
      unknown: { field: 1 },
      refundReceiver: null,
      origin: null,
      contractTransactionHash: ` ${safeTxHash.slice(2).toUpperCase()} `,
    }
    expect(await post(written)).toMatchObject({ status: 201, body: '' })
    expect(await detail(safeTxHash)).toMatchObject({
      to: zeroAddress,
      data: null,
      gasPrice: '3',
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce: String(safeTx.nonce),
      origin: '{}',
      trusted: true,
    })
  })

  test('behavior: an origin is its JSON, or its text', async () => {
    for (const [origin, told] of [
      ['a script', 'a script'],
      ['{"url":"https://x","n":[1,{"a":"é"}]}', '{"url": "https://x", "n": [1, {"a": "\\u00e9"}]}'],
      [null, '{}'],
    ]) {
      const { body, safeTxHash } = await proposal()
      expect((await post({ ...body, origin })).status).toBe(201)
      expect((await detail(safeTxHash)).origin).toBe(told)
    }
  })
})

describe('who signs a proposal', () => {
  test('error: signed by somebody else besides; by a delegate with others; at no Safe', async () => {
    const { body, signature, safeTx } = await proposal()
    const { signature: foreign } = await signedTx(safeAddress, carol, safeTx)
    expect(await post({ ...body, signature: concatHex([signature, foreign]) })).toMatchObject({
      status: 422,
      body: together(expect.stringMatching(`^Signer=${carol.address} is not an owner or delegate. Current owners=`)),
    })
    const { signature: ofDelegate } = await signedTx(safeAddress, dave, safeTx)
    const both = concatHex([ofDelegate, signature])
    expect(await post({ ...body, sender: dave.address, signature: both })).toMatchObject({
      status: 422,
      body: together('Just one signature is expected if using delegates'),
    })
    expect(await post(body, nobody)).toMatchObject({
      status: 422,
      body: together(`Could not get Safe ${nobody} owners from blockchain, check contract exists on network Devnet`),
    })
  })

  test('behavior: without a signature first, then with one: trusted, with what was said then; no more after that', async () => {
    const { body, safeTxHash } = await proposal()
    expect((await post({ ...body, signature: null, origin: 'first' })).status).toBe(201)
    expect(await detail(safeTxHash)).toMatchObject({ trusted: false, origin: 'first', confirmations: [] })
    expect((await post({ ...body, origin: 'second' })).status).toBe(201)
    const trusted = await detail(safeTxHash)
    expect(trusted).toMatchObject({ trusted: true, origin: 'second', confirmations: [{ owner: alice.address }] })
    expect((await post({ ...body, origin: 'third' })).status).toBe(201)
    expect(await detail(safeTxHash)).toEqual(trusted)
  })

  test('case 17: approved on the chain before anybody proposes it, then proposed without a signature', async () => {
    const { body, safeTxHash } = await proposal({}, bob)
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'approveHash', args: [safeTxHash] })
    const transactionHash = await actor.send({ from: alice.address, to: safeAddress, data })
    const asBob = await newTxClient(server, await signInAs(server, bob))
    const path = `/v2/safes/${safeAddress}/multisig-transactions/`
    expect((await asBob.post(path, { ...body, signature: null })).status).toBe(201)
    const found = await eventually(async () => {
      const transaction = await detail(safeTxHash)
      return transaction.trusted && transaction
    })
    expect(found).toMatchObject({
      proposer: bob.address,
      confirmations: [{ owner: alice.address, signatureType: 'APPROVED_HASH', transactionHash }],
    })
  })
})

describe('confirming', () => {
  test('error: 400 at `signature`; an owner confirms once, the first counts', async () => {
    const { body, safeTxHash, signature, safeTx } = await proposal()
    await post(body)
    const { signature: ofBob } = await signedTx(safeAddress, bob, safeTx)
    const refused = (message: unknown) => ({ status: 400, body: { signature: [message] } })
    expect(await confirm(safeTxHash, '0x12')).toMatchObject(
      refused('Ensure this field has at least 65 hexadecimal chars (not counting 0x).'),
    )
    expect(await confirm(safeTxHash, `0x${'ab'.repeat(5_001)}`)).toMatchObject(
      refused('Ensure this field has no more than 5000 hexadecimal chars (not counting 0x).'),
    )
    for (const [given, said] of [
      [undefined, 'This field is required.'],
      [null, 'This field may not be null.'],
      ['', 'This field may not be blank.'],
      ['hello', 'hello is not a hexadecimal value.'],
    ])
      expect(await confirm(safeTxHash, given)).toMatchObject(refused(said))
    expect(await confirm(safeTxHash, concatHex([ofBob, ofBob]))).toMatchObject(
      refused(`Signature for owner=${bob.address} is duplicated`),
    )
    expect(await confirm(safeTxHash, (await signedTx(safeAddress, dave, safeTx)).signature)).toMatchObject(
      refused(expect.stringMatching(`^Signer=${dave.address} is not an owner. Current owners=`)),
    )
    expect(await confirm(safeTxHash, concatHex([signature, ofBob]))).toMatchObject({ status: 201 })
    const stored = await detail(safeTxHash)
    expect(stored.confirmations).toMatchObject([{ owner: alice.address, signature }, { owner: bob.address }])
    const personal = await key(bob).signMessage({ message: { raw: safeTxHash } })
    const asEthSign = `${personal.slice(0, -2)}${personal.endsWith('1b') ? '1f' : '20'}`
    expect(await confirm(safeTxHash, asEthSign)).toMatchObject({ status: 201, body: { signature: asEthSign } })
    expect(await detail(safeTxHash)).toEqual(stored)
    expect(await confirm('0x12', signature)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
  })

  test('error: what is executed is proposed no more', async () => {
    const { body, safeTxHash, safeTx, signature } = await proposal({ nonce: 0n })
    const { signature: ofBob } = await signedTx(safeAddress, bob, safeTx)
    const signatures = encodeSignatures([
      { owner: alice.address, signature },
      { owner: bob.address, signature: ofBob },
    ])
    const hash = await actor.send({ to: safeAddress, data: encodeExecTransaction(safeTx, signatures) })
    await eventually(async () => (await client.ask(`/v2/multisig-transactions/${safeTxHash}/`)).status === 200)
    expect(await post(body)).toMatchObject({
      status: 422,
      body: together(
        `Tx with safe-tx-hash=${safeTxHash} for safe=${safeAddress} was already executed in tx-hash=${hash}`,
      ),
    })
  })
})

describe('deleting', () => {
  const remove = (hash: string, signature: Hex) =>
    client.post(`/v2/multisig-transactions/${hash}/`, { signature }, 'DELETE')
  const request = (safeTxHash: Hex, account: DemoAccount) =>
    key(account).signTypedData(deleteRequestTypedData({ chainId, safeAddress, safeTxHash, totp: hour() }))

  test('error: a hash that is none, several signatures, other kinds, an hour to come', async () => {
    const { body, safeTxHash } = await proposal()
    await post(body)
    const signature = await request(safeTxHash, alice)
    expect(await remove('0x12', signature)).toMatchObject({
      status: 400,
      body: { safeTxHash: ['"0x12" keccak256 hash should be 32 bytes.'] },
    })
    const refused = (message: string) => ({ status: 400, body: together(message) })
    expect(await remove(safeTxHash, concatHex([signature, signature]))).toMatchObject(
      refused('1 owner signature was expected, 2 received'),
    )
    expect(await remove(safeTxHash, encodeApprovedHash(alice.address))).toMatchObject(
      refused('Only EOA and ETH_SIGN signatures are supported'),
    )
    const early = deleteRequestTypedData({ chainId, safeAddress, safeTxHash, totp: hour() + 1 })
    expect(await remove(safeTxHash, await key(alice).signTypedData(early))).toMatchObject(
      refused('Provided signer is not the proposer or the delegate user who proposed the transaction'),
    )
    expect((await detail(safeTxHash)).safeTxHash).toBe(safeTxHash)
  })

  test('behavior: the delegate who proposed it, as long as it is one', async () => {
    const [one, other] = [await proposal({}, dave), await proposal({}, dave)]
    for (const { body } of [one, other]) expect((await post(body)).status).toBe(201)
    expect((await remove(one.safeTxHash, await request(one.safeTxHash, dave))).status).toBe(204)
    await name(dave, 'DELETE')
    expect((await remove(other.safeTxHash, await request(other.safeTxHash, dave))).status).toBe(400)
    expect((await remove(other.safeTxHash, await request(other.safeTxHash, alice))).status).toBe(204)
  })
})

describe('messages', () => {
  test('error: fields, several signatures, an unknown hash', async () => {
    const path = `/v1/safes/${safeAddress}/messages/`
    const signature = await key(alice).sign({ hash: `0x${'ab'.repeat(32)}` })
    for (const [body, said] of [
      [{ signature }, { message: ['This field is required.'] }],
      [{ signature, message: null }, { message: ['This field may not be null.'] }],
      [{ message: 'a' }, { signature: ['This field is required.'] }],
      [{ message: 'a', signature, safeAppId: -1 }, { safeAppId: ['Ensure this value is greater than or equal to 0.'] }],
      [
        { message: 'a', signature, origin: 'x'.repeat(201) },
        { origin: ['Ensure this field has no more than 200 characters.'] },
      ],
      [
        { message: 'a', signature: concatHex([signature, signature]) },
        together('1 owner signature was expected, 2 received'),
      ],
    ])
      expect(await client.post(path, body)).toMatchObject({ status: 400, body: said })
    expect(await client.post(`/v1/messages/0x${'ab'.repeat(32)}/signatures/`, { signature })).toMatchObject({
      status: 404,
      body: { detail: 'No SafeMessage matches the given query.' },
    })
    expect(await client.ask('/v1/messages/0x12/')).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
  })
})
