import { addSafe, call, confirmTransaction, proposeTransaction } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, getAddress, parseAbi, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { asAlice, devnet, openScene, server } from '../test/scene.ts'
import { newSafe, signedTx, signInAs } from '../test/test-server.ts'
import { newTxClient, type TxAnswer, type TxClient } from '../test/tx-client.ts'

const [alice, bob, carol, dave] = demoAccounts
const chainId = 31337
const nftAbi = parseAbi(['function setApprovalForAll(address operator, bool approved)'])
const unknown = getAddress('0x5afe000000000000000000000000000000005afe')

let byAlice: TxClient
let byDave: TxClient
let byNobody: TxClient
let safeAddress: Address

openScene([alice])

beforeAll(async () => {
  byAlice = await newTxClient(server, asAlice)
  byDave = await newTxClient(server, await signInAs(server, dave))
  byNobody = await newTxClient(server, null)
  safeAddress = await newSafe(devnet.rpcUrl, { l2: true })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
})

function ask(path: string, init: RequestInit = {}, client = byAlice): Promise<TxAnswer> {
  return client.ask(path, init)
}

describe('the frame', () => {
  test('default: with and without the last slash, no redirects', async () => {
    for (const path of ['/v1/about', '/v1/about/']) {
      const { status, body } = await ask(path)
      expect(status).toBe(200)
      expect(body).toMatchObject({ name: 'Safe Transaction Service', api_version: 'v1', version: expect.any(String) })
    }
  })

  test('behavior: nobody reads without an account; a Safe of others is not there', async () => {
    const path = `/v1/safes/${safeAddress}/`
    expect(await ask(path, {}, byNobody)).toMatchObject({
      status: 401,
      body: { detail: 'Authentication credentials were not provided.' },
    })
    expect(await ask(path, {}, byDave)).toMatchObject({ status: 404, body: '' })
    expect(await ask(path)).toMatchObject({ status: 200 })
  })

  test('behavior: an API token gives what its account may see, within its scopes', async () => {
    const path = `/v1/safes/${safeAddress}/`
    const proposing = await newTxClient(server, asAlice, { scopes: ['propose'] })
    expect(await proposing.ask(path)).toMatchObject({ status: 403, body: { detail: expect.any(String) } })
    const unknownToken = { headers: { authorization: `Bearer csn_${'A'.repeat(43)}` } }
    expect(await ask(path, unknownToken, byNobody)).toMatchObject({ status: 401, body: { detail: expect.any(String) } })
    const bySession = await asAlice.fetch(`${server.origin}/tx-service/${chainId}/api${path}`)
    expect(bySession.status).toBe(401)
  })

  test('behavior: any origin, without its cookies; a preflight says so', async () => {
    const preflight = await ask('/v2/delegates/', {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('if-none-match')
    expect(preflight.headers.get('access-control-allow-credentials')).toBe(null)
    const refused = await ask('/v1/about', {}, byNobody)
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('behavior: what has not changed is not sent again', async () => {
    const first = await ask('/v1/about')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(await ask('/v1/about', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, body: '' })
  })

  test('error: other methods, other paths, other chains', async () => {
    expect(await ask('/v1/about/', { method: 'PUT', headers: { origin: server.origin } })).toMatchObject({
      status: 405,
      body: { detail: 'Method "PUT" not allowed.' },
    })
    expect(await ask('/v1/nothing/')).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    const other = await fetch(`${server.origin}/tx-service/1/api/v1/about/`)
    expect([other.status, await other.json()]).toEqual([404, { detail: 'Not found.' }])
  })
})

describe('GET safes', () => {
  test('default: the live state', async () => {
    const { status, body } = await ask(`/v1/safes/${safeAddress}/`)
    expect(status).toBe(200)
    expect(body).toEqual({
      address: safeAddress,
      nonce: '0',
      threshold: 2,
      owners: [alice.address, bob.address, carol.address],
      masterCopy: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762',
      modules: [],
      fallbackHandler: expect.stringMatching(/^0x/),
      guard: zeroAddress,
      moduleGuard: zeroAddress,
      version: '1.4.1+L2',
    })
  })

  test('error: lower case 422, unknown 404 with an empty body', async () => {
    const lower = safeAddress.toLowerCase()
    expect(await ask(`/v1/safes/${lower}/`)).toMatchObject({
      status: 422,
      body: { code: 1, message: 'Checksum address validation failed', arguments: [lower] },
    })
    expect(await ask(`/v1/safes/${unknown}/`)).toMatchObject({ status: 404, body: '' })
  })
})

describe('GET multisig-transactions', () => {
  test('default: what was proposed and confirmed, by value', async () => {
    const proposal = await signedTx(safeAddress, alice, { value: 5n, nonce: 0n })
    await call(asAlice, proposeTransaction, {
      chainId,
      safeAddress,
      ...proposal,
      origin: '{"url":"https://x","name":"y"}',
    })
    const asBob = await signInAs(server, bob)
    const { signature } = await signedTx(safeAddress, bob, { value: 5n, nonce: 0n })
    await call(asBob, confirmTransaction, { chainId, safeTxHash: proposal.safeTxHash, signature })
    const { body } = await ask(`/v2/multisig-transactions/${proposal.safeTxHash}/`)
    expect(body).toEqual({
      safe: safeAddress,
      to: proposal.safeTx.to,
      value: '5',
      data: null,
      operation: 0,
      gasToken: zeroAddress,
      safeTxGas: '0',
      baseGas: '0',
      gasPrice: '0',
      refundReceiver: zeroAddress,
      nonce: '0',
      executionDate: null,
      submissionDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/),
      modified: expect.stringMatching(/Z$/),
      blockNumber: null,
      transactionHash: null,
      safeTxHash: proposal.safeTxHash,
      proposer: alice.address,
      proposedByDelegate: null,
      executor: null,
      isExecuted: false,
      isSuccessful: null,
      ethGasPrice: null,
      maxFeePerGas: null,
      maxPriorityFeePerGas: null,
      gasUsed: null,
      fee: null,
      payment: null,
      origin: '{"url": "https://x", "name": "y"}',
      dataDecoded: null,
      confirmationsRequired: 2,
      confirmations: [
        {
          owner: alice.address,
          submissionDate: expect.any(String),
          transactionHash: null,
          signature: proposal.signature,
          signatureType: 'EOA',
        },
        {
          owner: bob.address,
          submissionDate: expect.any(String),
          transactionHash: null,
          signature,
          signatureType: 'EOA',
        },
      ],
      trusted: true,
      signatures: null,
    })
    const list = await ask(`/v1/safes/${safeAddress}/multisig-transactions/?executed=false&limit=1000`)
    expect(list.body).toMatchObject({ count: 1, next: null, previous: null, countUniqueNonce: 1 })
    expect(list.body.results).toEqual([{ ...body, nonce: 0, safeTxGas: 0, baseGas: 0 }])
    const confirmations = await ask(`/v1/multisig-transactions/${proposal.safeTxHash}/confirmations/`)
    expect(confirmations.body).toEqual({ count: 2, next: null, previous: null, results: body.confirmations })
    const page = await ask(`/v1/multisig-transactions/${proposal.safeTxHash}/confirmations?limit=1`)
    expect(page.body.next).toBe(
      `${server.origin}/tx-service/31337/api/v1/multisig-transactions/${proposal.safeTxHash}/confirmations?limit=1&offset=1`,
    )
    expect((await ask(`/v2/multisig-transactions/${proposal.safeTxHash}/`, {}, byDave)).body).toEqual({
      detail: 'No MultisigTransaction matches the given query.',
    })
  })

  test('error: nothing that is none', async () => {
    expect(await ask(`/v2/safes/${unknown}/multisig-transactions/`)).toMatchObject({
      status: 200,
      body: { count: 0, next: null, previous: null, results: [], countUniqueNonce: 0 },
    })
    expect(await ask('/v2/multisig-transactions/0x/')).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    const faults = await ask(`/v2/safes/${safeAddress}/multisig-transactions/?to=0x12&safe_tx_hash=0x12&nonce=x`)
    expect(faults).toMatchObject({
      status: 400,
      body: {
        to: ['Enter a valid checksummed Ethereum Address.'],
        safeTxHash: ['"0x12" keccak256 hash should be 32 bytes.'],
        nonce: ['Enter a number.'],
      },
    })
  })
})

describe('POST data-decoder', () => {
  async function decode(body: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const all = { origin: server.origin, 'content-type': 'application/json', ...headers }
    return ask('/v1/data-decoder/', { method: 'POST', headers: all, body: text })
  }
  const enableModule = `0x610b5925${'0'.repeat(24)}${'ab'.repeat(20)}`

  test('default: the method and its parameters, in the order that clients compare', async () => {
    const { status, body } = await decode({ data: enableModule })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toBe(
      `{"method":"enableModule","parameters":[{"name":"module","type":"address","value":"${getAddress(`0x${'ab'.repeat(20)}`)}"}]}`,
    )
    expect((await decode({ data: enableModule.slice(2), to: safeAddress })).body).toEqual(body)
  })

  test("behavior: parameters of the Safe's own functions are called as in its contracts", async () => {
    for (const signature of [
      'setup(address[] _owners, uint256 _threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
      'addOwnerWithThreshold(address owner, uint256 _threshold)',
      'removeOwner(address prevOwner, address owner, uint256 _threshold)',
      'changeThreshold(uint256 _threshold)',
      'swapOwner(address prevOwner, address oldOwner, address newOwner)',
    ]) {
      const abi = parseAbi([`function ${signature}`] as string[])
      const [item] = abi
      if (item?.type !== 'function') throw new Error(signature)
      const values = { 'address[]': [unknown], address: unknown, uint256: 1n, bytes: '0x12' }
      const args = item.inputs.map(({ type }) => Object.entries(values).find(([name]) => name === type)?.[1])
      const { body } = await decode({ data: encodeFunctionData({ abi, functionName: item.name, args }) })
      expect([body.method, ...body.parameters.map(({ name }: { name: string }) => name)]).toEqual([
        item.name,
        ...item.inputs.map(({ name }) => name),
      ])
    }
  })

  test('behavior: batches and calls of other Safes are read into, booleans have capitals', async () => {
    const approval = encodeFunctionData({ abi: nftAbi, functionName: 'setApprovalForAll', args: [bob.address, true] })
    const batch = encodeMultiSend([
      { to: carol.address, value: 7n, data: '0x' },
      { to: bob.address, value: 0n, data: approval },
    ])
    const { body } = await decode({ data: batch })
    expect(body.parameters[0]).toMatchObject({
      name: 'transactions',
      type: 'bytes',
      value: expect.stringMatching(/^0x/),
    })
    expect(body.parameters[0].valueDecoded).toEqual([
      { operation: 0, to: carol.address, value: '7', data: null, dataDecoded: null },
      {
        operation: 0,
        to: bob.address,
        value: '0',
        data: approval,
        dataDecoded: {
          method: 'setApprovalForAll',
          parameters: [
            { name: 'operator', type: 'address', value: bob.address },
            { name: 'approved', type: 'bool', value: 'True' },
          ],
        },
      },
    ])
    const { safeTx } = await signedTx(safeAddress, alice, { to: bob.address, data: approval })
    const nested = (await decode({ data: encodeExecTransaction(safeTx, '0x') })).body
    expect(nested.method).toBe('execTransaction')
    expect(nested.parameters[2].valueDecoded).toEqual(body.parameters[0].valueDecoded[1].dataDecoded)
  })

  test('error: too short 422, unknown 404 and empty, other types, no JSON', async () => {
    const short = ['Ensure this field has at least 4 hexadecimal chars (not counting 0x).']
    for (const data of ['0x12', '0x1'])
      expect(await decode({ data })).toMatchObject({ status: 422, body: { data: short } })
    expect(await decode({})).toMatchObject({ status: 422, body: { data: ['This field is required.'] } })
    expect(await decode({ data: 'zz' })).toMatchObject({
      status: 422,
      body: { data: ['zz is not a hexadecimal value.'] },
    })
    expect(await decode({ data: '0x12121212' })).toMatchObject({ status: 404, body: '' })
    expect(await decode({ data: enableModule }, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect((await decode('{')).body.detail).toMatch(/^JSON parse error/)
    const deep = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(await decode(deep)).toMatchObject({ status: 400, body: { detail: expect.stringContaining('deeper') } })
    expect(await decode('{"data":"\\u0000"}')).toMatchObject({ status: 400 })
    expect(await ask('/v2/delegates/?label=%00')).toMatchObject({
      status: 400,
      body: { label: ['Null characters are not allowed.'] },
    })
    expect(await decode('[]')).toMatchObject({
      status: 400,
      body: { nonFieldErrors: ['Invalid data. Expected a dictionary, but got list.'] },
    })
    expect(await decode(`"${'x'.repeat(2_000_000)}"`)).toMatchObject({
      status: 413,
      body: { detail: expect.any(String) },
    })
  })
})
