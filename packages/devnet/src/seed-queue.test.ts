import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type Endpoint, hex, prepareSignIn, proposeTransaction, signIn, toWire } from '@countersign/contract'
import { hashSafeTx } from '@countersign/safe'
import { recoverAddress, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { demoExecution, demoQueue, demoScenario } from './demo.ts'
import { requestNode, sendAll } from './node-client.ts'
import { seedQueue } from './seed-queue.ts'
import { type Devnet, startDevnet } from './start.ts'

const [alice, bob, carol] = demoAccounts
const publicUrl = 'https://countersign.example'
const time = '2026-01-01T00:00:00.000Z'

/** Proposals that arrived, each with the account whose session it came in. */
let added: string[]
let proposed: { account: string; safeTxHash: string; signer: string; origin: unknown }[]
let problems: string[]
let devnet: Devnet
let server: Server
let serverUrl: string

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  server = createServer(async (request, response) => {
    const reply = await answer(request).catch((error: unknown) => {
      problems.push(String(error))
      return { status: 500, body: {}, cookies: [] }
    })
    response.writeHead(reply.status, { 'content-type': 'application/json', 'set-cookie': reply.cookies ?? [] })
    response.end(reply.body ? JSON.stringify(toWire(reply.body)) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  serverUrl = `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
})
afterAll(async () => {
  server?.close()
  await devnet?.close()
})
beforeEach(() => {
  added = []
  proposed = []
  problems = []
})

/** The part of the server that the seed talks to, reading what it is sent by the contract's own schemas. */
async function answer(request: IncomingMessage): Promise<{ status: number; body?: unknown; cookies?: string[] }> {
  const what = `${request.method} ${request.url}`
  if (what === 'GET /api/configuration')
    return {
      status: 200,
      body: {
        version: '0',
        publicUrl,
        safeHosts: [],
        hasCoinbase: false,
        walletConnect: null,
        currency: null,
        chains: [],
      },
    }
  if (request.headers.origin !== publicUrl) throw new Error(`origin ${request.headers.origin}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const json: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
  const cookies = Object.fromEntries((request.headers.cookie ?? '').split('; ').map((pair) => pair.split('=')))

  if (what === 'POST /api/session/message') {
    const { address } = read(prepareSignIn, json)
    return {
      status: 200,
      body: { message: `sign in ${address}`, expiresAt: time },
      cookies: [`before=${address}; Path=/`],
    }
  }
  if (what === 'POST /api/session') {
    const { message, signature } = read(signIn, json)
    const address = await recoverMessageAddress({ message, signature: hex.parse(signature) })
    if (cookies.before !== address) throw new Error(`signed in as ${address}, asked as ${cookies.before}`)
    return {
      status: 200,
      body: { session: { address, chainId: devnet.chainId, provenBy: 'key', createdAt: time, expiresAt: time } },
      cookies: ['before=; Max-Age=0; Path=/', `session=${address}; Path=/; HttpOnly`],
    }
  }
  const account = cookies.session
  if (!account || cookies.before !== undefined) throw new Error(`cookies ${request.headers.cookie}`)
  if (what === 'DELETE /api/session') return { status: 204 }
  if (what === 'POST /api/safes') {
    added.push(account)
    const body = {
      chainId: devnet.chainId,
      address: devnet.demoSafe,
      owners: [],
      threshold: 2,
      nonce: 3,
      version: '1.4.1+L2',
      role: 'owner',
      awaitingMyConfirmation: 0,
      messagesAwaitingMe: 0,
      hasAlarms: false,
      hasNames: false,
      hasAbis: false,
      hasPolicy: false,
      names: [],
      addedAt: time,
      backfillBlock: null,
      backfillTo: null,
      isDeployed: true,
      backfillStoppedAt: null,
    }
    return { status: 200, body }
  }
  if (what === `POST /api/chains/${devnet.chainId}/safes/${devnet.demoSafe}/transactions`) {
    const { safeTx, safeTxHash, signature, origin } = read(proposeTransaction, json)
    const context = { chainId: devnet.chainId, safeAddress: devnet.demoSafe, version: '1.4.1', safeTx }
    if (hashSafeTx(context).safeTxHash !== safeTxHash) throw new Error('another hash')
    proposed.push({ account, safeTxHash, signer: await recoverAddress({ hash: safeTxHash, signature }), origin })
    const unknown = {
      isSuccessful: null,
      transactionHash: null,
      executor: null,
      blockNumber: null,
      executionDate: null,
      gasUsed: null,
      fee: null,
    }
    const body = {
      chainId: devnet.chainId,
      safeAddress: devnet.demoSafe,
      safeTxHash,
      safeTx,
      proposer: account,
      proposedByDelegate: null,
      origin,
      submissionDate: time,
      confirmations: [],
      confirmationsRequired: 2,
      isExecuted: false,
      isHashOutdated: false,
      ...unknown,
      pendingExecution: null,
    }
    return { status: 200, body }
  }
  throw new Error(`nobody answers ${what}`)
}

function read<B extends { parse(value: unknown): unknown }>(
  endpoint: { body?: B } & Pick<Endpoint, 'name'>,
  json: unknown,
) {
  if (!endpoint.body) throw new Error(`${endpoint.name} has no body`)
  return endpoint.body.parse(json) as ReturnType<B['parse']>
}

describe('seedQueue', () => {
  test('default: adds the Safe for each owner and proposes both transactions', async () => {
    await seedQueue({ serverUrl, devnet })
    expect(problems).toEqual([])
    expect(added).toEqual(demoScenario.owners.map(({ address }) => address))
    const { harmless, malicious } = await demoQueue(devnet.chainId)
    expect(proposed).toEqual([
      {
        account: bob.address,
        safeTxHash: harmless.safeTxHash,
        signer: bob.address,
        origin: harmless.origin,
      },
      {
        account: carol.address,
        safeTxHash: malicious.safeTxHash,
        signer: carol.address,
        origin: 'Weekly transfer to hot wallet',
      },
    ])
  })

  test('behavior: does not propose what was executed meanwhile, and leaves a lost Safe alone', async () => {
    const snapshot = await requestNode(devnet.rpcUrl, 'evm_snapshot')
    const { harmless, malicious } = await demoQueue(devnet.chainId)
    await sendAll(devnet.rpcUrl, alice.address, [await demoExecution(devnet.chainId, harmless.safeTx, [alice, bob])])
    await seedQueue({ serverUrl, devnet })
    expect(proposed.map(({ safeTxHash }) => safeTxHash)).toEqual([malicious.safeTxHash])

    added = []
    await sendAll(devnet.rpcUrl, alice.address, [await demoExecution(devnet.chainId, malicious.safeTx, [alice, bob])])
    await seedQueue({ serverUrl, devnet })
    expect(added).toEqual([])
    await requestNode(devnet.rpcUrl, 'evm_revert', snapshot)
  })

  test('error: SERVER_UNREACHABLE when nobody listens', async () => {
    await expect(seedQueue({ serverUrl: 'http://127.0.0.1:9', devnet })).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
    })
  })
})
