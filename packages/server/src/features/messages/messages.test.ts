import {
  addSafe,
  call,
  confirmMessage,
  deleteMessage,
  getMessage,
  getSafe,
  inviteViewer,
  listAlarms,
  listMessages,
  listSafes,
  proposeMessage,
  proposeTransaction,
  type SafeMessage,
} from '@countersign/contract'
import type { DemoAccount } from '@countersign/devnet'
import { hashSafeMessage, parseMessageContent, safeMessageTypedData } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { type Address, encodeFunctionData, type Hex, pad, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createActor, settingsAbi } from '../../test/safe-actor.ts'
import {
  addedSafe,
  alice,
  asAlice,
  asBob,
  asStranger,
  bob,
  chainId,
  devnet,
  openTeam,
  server,
  stranger,
  transport,
} from '../../test/scene.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
} from '../../test/test-server.ts'
import { confirm } from './confirm.ts'
import { propose as keep } from './propose.ts'

const noHash: Hex = `0x${'1'.repeat(64)}`

openTeam()

/** The verbs as another transport calls them. */
const verbs = { propose: keep, confirm }

/** Order, spaces, letters written as code points and numbers as they came. */
const typedJson = `{"primaryType": "Mail", "domain":{"name":"Test","chainId":31337},
  "message":{"z_last":"1","2":"two","contents":"\\u0068i"},
  "types":{"Mail":[{"type":"string","name":"contents"},{"name":"z_last","type":"uint256"},{"name":"2","type":"string"}],
  "EIP712Domain":[{"name":"name","type":"string"},{"name":"chainId","type":"uint256"}]}}`

async function signed(safeAddress: Address, account: DemoAccount, content = '"Hello Safe"', version = '1.4.1') {
  const context = { chainId, safeAddress, version, content: parseMessageContent(content) }
  return {
    content,
    safeMessageHash: hashSafeMessage(context).safeMessageHash,
    signature: await privateKeyToAccount(account.privateKey).signTypedData(safeMessageTypedData(context)),
  }
}

async function propose(safeAddress: Address, content?: string): Promise<SafeMessage> {
  return call(asAlice, proposeMessage, { chainId, safeAddress, ...(await signed(safeAddress, alice, content)) })
}

describe('proposeMessage and confirmMessage', () => {
  test('default: two owners, a text', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signed(safeAddress, alice)
    const { safeMessageHash } = proposal
    const proposed = await call(asAlice, proposeMessage, { chainId, safeAddress, ...proposal, origin: 'https://a.b' })
    expect(proposed).toMatchObject({
      safeMessageHash,
      content: '"Hello Safe"',
      proposer: alice.address,
      origin: 'https://a.b',
      confirmations: [{ owner: alice.address, signatureType: 'EOA', signature: proposal.signature }],
      confirmationsRequired: 2,
    })
    // It waits for the owner who has not signed, until enough have.
    const waiting = async (browser: Browser) =>
      (await call(browser, getSafe, { chainId, safeAddress })).messagesAwaitingMe
    expect([await waiting(asAlice), await waiting(asBob)]).toEqual([0, 1])
    const { signature } = await signed(safeAddress, bob)
    const confirmed = await call(asBob, confirmMessage, { chainId, safeMessageHash, signature })
    expect(confirmed.confirmations.map(({ owner }) => owner)).toEqual([alice.address, bob.address])
    expect(confirmed.modifiedDate > proposed.modifiedDate).toBe(true)
    expect([await waiting(asAlice), await waiting(asBob)]).toEqual([0, 0])
    expect(await call(asBob, getMessage, { chainId, safeMessageHash })).toEqual({
      ...confirmed,
      formerConfirmations: [],
      reports: [],
    })
    expect((await call(asAlice, listMessages, { chainId, safeAddress })).messages).toEqual([confirmed])
  })

  test('behavior: what was signed elsewhere is brought by somebody of the team', async () => {
    const safeAddress = await addedSafe()
    const { safeMessageHash } = await propose(safeAddress)
    const { signature } = await signed(safeAddress, bob)
    const bring = (browser: Browser, isImported: boolean) =>
      call(browser, confirmMessage, { chainId, safeMessageHash, signature, isImported })
    expect(await codeOf(bring(asAlice, false))).toBe('ACCOUNT_MISMATCH')
    expect(await codeOf(bring(asStranger, true))).toBe('MESSAGE_NOT_FOUND')
    await call(asAlice, inviteViewer, { chainId, safeAddress, account: stranger.address, label: 'A viewer' })
    expect(await codeOf(bring(asStranger, true))).toBe('NOT_OWNER_OR_DELEGATE')
    expect((await bring(asAlice, true)).confirmations).toMatchObject([{}, { owner: bob.address }])
  })

  test('behavior: a message from elsewhere is proposed by the signature of another owner, brought by an owner alone', async () => {
    const safeAddress = await addedSafe()
    const ofBob = await signed(safeAddress, bob)
    const bring = (browser: Browser, more: object = {}) =>
      call(browser, proposeMessage, { chainId, safeAddress, ...ofBob, isImported: true, ...more })
    expect(await codeOf(bring(asAlice, { isImported: false }))).toBe('ACCOUNT_MISMATCH')
    expect(await codeOf(bring(asStranger))).toBe('SAFE_NOT_FOUND')
    await call(asAlice, inviteViewer, { chainId, safeAddress, account: stranger.address, label: 'A viewer' })
    expect(await codeOf(bring(asStranger))).toBe('NOT_OWNER_OR_DELEGATE')
    // A signature for something else, and one of nobody here.
    const { signature } = await signed(safeAddress, bob, '"Something else"')
    expect(await codeOf(bring(asAlice, { signature }))).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await codeOf(bring(asAlice, await signed(safeAddress, stranger)))).toBe('SIGNATURE_NOT_FROM_OWNER')
    const brought = await bring(asAlice)
    expect(brought).toMatchObject({ proposer: bob.address, confirmations: [{ owner: bob.address }] })
    expect(await bring(asAlice)).toEqual(brought)
    expect((await call(asAlice, listMessages, { chainId, safeAddress })).messages).toEqual([brought])
  })

  test('behavior: typed data is kept byte for byte', async () => {
    const safeAddress = await addedSafe()
    const { safeMessageHash } = await propose(safeAddress, typedJson)
    const stored = await call(asBob, getMessage, { chainId, safeMessageHash })
    expect(stored.content).toBe(typedJson)
  })

  test('behavior: the same again changes nothing, ten times at once neither', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signed(safeAddress, alice)
    const all = await Promise.all(
      Array.from({ length: 10 }, () => call(asAlice, proposeMessage, { chainId, safeAddress, ...proposal })),
    )
    expect(new Set(all.map((stored) => JSON.stringify(stored))).size).toBe(1)
    const { safeMessageHash, signature } = proposal
    expect(await call(asAlice, confirmMessage, { chainId, safeMessageHash, signature })).toEqual(all[0])
    expect((await call(asAlice, listMessages, { chainId, safeAddress })).messages).toHaveLength(1)
  })

  test('behavior: a message that two owners propose has both confirmations', async () => {
    const safeAddress = await addedSafe()
    await propose(safeAddress)
    const again = await call(asBob, proposeMessage, { chainId, safeAddress, ...(await signed(safeAddress, bob)) })
    expect(again).toMatchObject({ proposer: alice.address, confirmations: [{}, { owner: bob.address }] })
  })

  test('behavior: a Safe that nobody has added yet comes into the list of its owner', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl)
    const { safeMessageHash } = await propose(safeAddress)
    expect((await call(asBob, getMessage, { chainId, safeMessageHash })).safeAddress).toBe(safeAddress)
    const { safes } = await call(asAlice, listSafes, {})
    expect(safes.some(({ address }) => address === safeAddress)).toBe(true)
  })

  test('behavior: eth_sign is taken', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signed(safeAddress, alice)
    const raw = await privateKeyToAccount(alice.privateKey).signMessage({ message: { raw: proposal.safeMessageHash } })
    const signature: Hex = `0x${raw.slice(2, -2)}${(Number.parseInt(raw.slice(-2), 16) + 4).toString(16)}`
    const stored = await call(asAlice, proposeMessage, { chainId, safeAddress, ...proposal, signature })
    expect(stored.confirmations).toMatchObject([{ signatureType: 'ETH_SIGN', signature }])
  })

  test('behavior: a stranger learns nothing', async () => {
    const safeAddress = await addedSafe()
    const { safeMessageHash } = await propose(safeAddress)
    const { signature } = await signed(safeAddress, stranger)
    expect(await codeOf(call(asStranger, getMessage, { chainId, safeMessageHash }))).toBe('MESSAGE_NOT_FOUND')
    expect(await codeOf(call(asStranger, deleteMessage, { chainId, safeMessageHash }))).toBe('MESSAGE_NOT_FOUND')
    expect(await codeOf(call(asStranger, confirmMessage, { chainId, safeMessageHash, signature }))).toBe(
      'MESSAGE_NOT_FOUND',
    )
    expect(await codeOf(call(asStranger, listMessages, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    expect(await codeOf(call(asStranger, listMessages, { chainId, safeAddress }))).toBe('NOT_A_MEMBER')
    expect(await codeOf(call(asStranger, getMessage, { chainId, safeMessageHash }))).toBe('MESSAGE_NOT_FOUND')
    const own = await signed(safeAddress, stranger)
    expect(await codeOf(call(asStranger, proposeMessage, { chainId, safeAddress, ...own }))).toBe('NOT_AN_OWNER')
  })

  test('error: MESSAGE_HASH_MISMATCH, MESSAGE_NOT_FOUND: every misfit is refused and changes nothing', async () => {
    const safeAddress = await addedSafe()
    const good = await signed(safeAddress, alice)
    const propose = (changes: Partial<typeof good>) =>
      codeOf(call(asAlice, proposeMessage, { chainId, safeAddress, ...good, ...changes }))
    expect(await propose({ safeMessageHash: noHash })).toBe('MESSAGE_HASH_MISMATCH')
    expect(await propose({ content: '"Hello Save"' })).toBe('MESSAGE_HASH_MISMATCH')
    expect(await propose({ content: 'Hello Safe' })).toBe('FIELD_MALFORMED')
    expect(await propose({ content: '{"message":"Hello Safe"}' })).toBe('FIELD_MALFORMED')
    expect(await propose({ content: JSON.stringify('a'.repeat(70_000)) })).toBe('FIELD_MALFORMED')
    expect(await propose({ signature: (await signed(safeAddress, bob)).signature })).toBe('ACCOUNT_MISMATCH')
    expect(await propose({ signature: (await signed(safeAddress, stranger)).signature })).toBe(
      'SIGNATURE_NOT_FROM_OWNER',
    )
    expect(await propose({ signature: '0x1234' })).toBe('SIGNATURE_MALFORMED')
    expect(await propose({ signature: (await signed(safeAddress, alice, '"another"')).signature })).toBe(
      'SIGNATURE_NOT_FROM_OWNER',
    )
    expect(await propose({ signature: (await signed(zeroAddress, alice)).signature })).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect((await call(asAlice, listMessages, { chainId, safeAddress })).messages).toEqual([])
    const { safeMessageHash } = good
    const { signature } = await signed(safeAddress, bob)
    expect(await codeOf(call(asBob, confirmMessage, { chainId, safeMessageHash, signature }))).toBe('MESSAGE_NOT_FOUND')
    const nowhere = { chainId, safeAddress: bob.address, ...(await signed(bob.address, alice)) }
    expect(await codeOf(call(asAlice, proposeMessage, nowhere))).toBe('NOT_A_SAFE')
  })

  test('error: CHAIN_UNREACHABLE, nothing is written', async () => {
    const rpcUrl = 'http://127.0.0.1:9'
    const away = await startTestServer({ chains: [devnetChain(rpcUrl)], databaseUrl: server.databaseUrl })
    try {
      const browser = await signInAs(away, alice)
      const safeAddress = await addedSafe()
      const proposal = await signed(safeAddress, alice)
      expect(await codeOf(call(browser, proposeMessage, { chainId, safeAddress, ...proposal }))).toBe(
        'CHAIN_UNREACHABLE',
      )
      expect((await call(asAlice, listMessages, { chainId, safeAddress })).messages).toEqual([])
      const { safeMessageHash } = await propose(safeAddress)
      const { signature } = await signed(safeAddress, bob)
      const confirm = (as: Browser, hash = safeMessageHash) =>
        codeOf(call(as, confirmMessage, { chainId, safeMessageHash: hash, signature }))
      expect(await confirm(await signInAs(away, bob))).toBe('CHAIN_UNREACHABLE')
      // The silence of the node tells a stranger nothing.
      const asNobody = await signInAs(away, stranger)
      for (const hash of [safeMessageHash, pad('0x1')]) expect(await confirm(asNobody, hash)).toBe('MESSAGE_NOT_FOUND')
    } finally {
      await away.stop()
    }
  })

  test('behavior: the confirmation of a removed owner does not count, and comes back with the owner', async () => {
    const owners = [alice.address, bob.address]
    const safeAddress = await addedSafe({ owners, threshold: 1 })
    const { safeMessageHash } = await propose(safeAddress)
    const { signature } = await signed(safeAddress, bob)
    await call(asBob, confirmMessage, { chainId, safeMessageHash, signature })
    const actor = createActor(devnet.rpcUrl)
    const change = (functionName: 'removeOwner' | 'addOwnerWithThreshold', data: Hex) =>
      actor.execute(safeAddress, { to: safeAddress, data }).then(() => functionName)
    const has = (count: number) =>
      eventually(async () => {
        const message = await call(asAlice, getMessage, { chainId, safeMessageHash })
        return message.confirmations.length === count && message
      })
    const removal = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'removeOwner',
      args: [alice.address, bob.address, 1n],
    })
    await change('removeOwner', removal)
    expect((await has(1)).confirmations[0]?.owner).toBe(alice.address)
    const former = async () => (await call(asAlice, getMessage, { chainId, safeMessageHash })).formerConfirmations
    const removedIn = expect.stringMatching(/^0x[0-9a-f]{64}$/)
    await eventually(async () => (await former()).length === 1)
    expect(await former()).toEqual([{ owner: bob.address, signature, removedIn }])
    expect(await codeOf(call(asBob, getMessage, { chainId, safeMessageHash }))).toBe('MESSAGE_NOT_FOUND')
    const addition = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'addOwnerWithThreshold',
      args: [bob.address, 1n],
    })
    await change('addOwnerWithThreshold', addition)
    await has(2)
    expect(await former()).toEqual([])
  })

  test('error: TOO_MANY_MESSAGES', async () => {
    const safeAddress = await addedSafe()
    const fillOf = async (safeAddress: Address, count: number) => {
      const client = new pg.Client({ connectionString: server.databaseUrl })
      await client.connect()
      await client.query(
        `insert into safe_message (chain_id, message_hash, safe_address, content, proposer, submission_date, modified_date)
         select $1, sha256(convert_to($2 || n, 'utf8')), decode($3, 'hex'), '""', decode($4, 'hex'), now(), now()
         from generate_series(1, $5) n`,
        [chainId, safeAddress, safeAddress.slice(2), alice.address.slice(2), count],
      )
      await client.end()
    }
    await fillOf(safeAddress, 99)
    const { safeMessageHash } = await propose(safeAddress)
    expect(await codeOf(propose(safeAddress, '"one more"'))).toBe('TOO_MANY_MESSAGES')
    // Another owner is not kept from it, and the same again is no more.
    await propose(safeAddress)
    const bobs = await signed(safeAddress, bob, '"of another"')
    await call(asBob, proposeMessage, { chainId, safeAddress, ...bobs })
    await call(asAlice, deleteMessage, { chainId, safeMessageHash })
    await propose(safeAddress, '"one more"')
    // Those that come together are counted one after the other.
    const other = await addedSafe()
    await fillOf(other, 98)
    const codes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => codeOf(propose(other, `"${text}"`))))
    expect(codes.sort()).toEqual(['TOO_MANY_MESSAGES', 'TOO_MANY_MESSAGES', 'no error', 'no error'])
  })
})

describe('alarms', () => {
  const alarmsOf = (safeAddress: Address) =>
    call(asAlice, listAlarms, { chainId, safeAddress }).then(({ alarms }) => alarms)

  test('default: an owner’s signature that is for a transaction is refused, and told to every owner', async () => {
    const safeAddress = await addedSafe()
    const transaction = await signedTx(safeAddress, alice)
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...transaction })
    const { safeMessageHash } = await propose(safeAddress)
    const { signature } = await signedTx(safeAddress, bob)
    const attempt = () => codeOf(call(asBob, confirmMessage, { chainId, safeMessageHash, signature }))
    expect(await attempt()).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await attempt()).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await alarmsOf(safeAddress)).toMatchObject([
      { signedHash: safeMessageHash, otherSafeTxHash: transaction.safeTxHash, signer: bob.address },
    ])
    const { content, safeMessageHash: other } = await signed(safeAddress, bob, '"other"')
    const send = (sent: Hex, text = content) =>
      codeOf(
        call(asBob, proposeMessage, { chainId, safeAddress, content: text, safeMessageHash: other, signature: sent }),
      )
    expect(await send(signature)).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await alarmsOf(safeAddress)).toHaveLength(1)
    expect(await send((await signedTx(safeAddress, bob, { value: 1n })).signature)).toBe('SIGNATURE_NOT_FROM_OWNER')
    // The signed content differs from the sent content.
    expect(await send((await signed(safeAddress, bob, '"other"')).signature, '"shown"')).toBe('MESSAGE_HASH_MISMATCH')
    expect(await alarmsOf(safeAddress)).toMatchObject([
      { code: 'MESSAGE_HASH_MISMATCH', signedHash: other, signer: bob.address },
      { code: 'SIGNATURE_NOT_FROM_OWNER', signedHash: other, signer: null },
      { otherSafeTxHash: transaction.safeTxHash },
    ])
  })
})

describe('for another transport', () => {
  const nobody = { account: null, mustSign: null }
  const facts = { origin: null, safeAppId: 7 }

  test('default: a signature alone proves that one may; the same again says so', async () => {
    const safeAddress = await addedSafe()
    const { safeMessageHash, ...proposal } = await signed(safeAddress, alice)
    const given = { chainId, safeAddress, ...proposal, safeMessageHash: null, ...facts, ...nobody }
    const first = await verbs.propose(transport(), given)
    expect(first).toMatchObject({ isNew: true, message: { proposer: alice.address, safeMessageHash, safeAppId: 7 } })
    expect(await verbs.propose(transport(), given)).toMatchObject({ isNew: false, isNewConfirmation: false })
    const { signature } = await signed(safeAddress, bob)
    const confirming = { chainId, safeMessageHash, signature, ...nobody }
    expect(await verbs.confirm(transport(), confirming)).toMatchObject({ isNewConfirmation: true })
    expect(await verbs.confirm(transport(), confirming)).toMatchObject({ isNewConfirmation: false })
  })

  test('behavior: a token of one owner carries the signature of another', async () => {
    const safeAddress = await addedSafe()
    const { safeMessageHash } = await propose(safeAddress)
    const { signature } = await signed(safeAddress, bob)
    const given = { chainId, safeMessageHash, signature, account: alice.address, mustSign: null }
    const { message } = await verbs.confirm(transport(), given)
    expect(message.confirmations.map(({ owner }) => owner)).toEqual([alice.address, bob.address])
  })

  test('error: MESSAGE_NOT_FOUND for who is nobody and has no signature of an owner', async () => {
    const safeAddress = await addedSafe()
    const { safeMessageHash } = await propose(safeAddress)
    const { signature } = await signed(safeAddress, stranger)
    const attempt = verbs.confirm(transport(), { chainId, safeMessageHash, signature, ...nobody })
    expect(await codeOf(attempt)).toBe('MESSAGE_NOT_FOUND')
    expect(await codeOf(verbs.confirm(transport(), { chainId, safeMessageHash, signature: '0x12', ...nobody }))).toBe(
      'MESSAGE_NOT_FOUND',
    )
  })
})

describe('listMessages', () => {
  test('default: page by page, newest first', async () => {
    const safeAddress = await addedSafe()
    const hashes: Hex[] = []
    for (const n of [1, 2, 3, 4, 5]) hashes.unshift((await propose(safeAddress, `"message ${n}"`)).safeMessageHash)
    const found: Hex[] = []
    let cursor: string | undefined
    do {
      const page = await call(asBob, listMessages, { chainId, safeAddress, limit: 2, cursor })
      found.push(...page.messages.map(({ safeMessageHash }) => safeMessageHash))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(found).toEqual(hashes)
    expect(await codeOf(call(asBob, listMessages, { chainId, safeAddress, cursor: 'b3RoZXI' }))).toBe('INVALID_REQUEST')
  })
})

describe('deleteMessage', () => {
  test('default: by its proposer, while it is open', async () => {
    const safeAddress = await addedSafe()
    const { safeMessageHash } = await propose(safeAddress)
    expect(await codeOf(call(asBob, deleteMessage, { chainId, safeMessageHash }))).toBe('NOT_PROPOSER')
    await call(asAlice, deleteMessage, { chainId, safeMessageHash })
    expect(await codeOf(call(asAlice, getMessage, { chainId, safeMessageHash }))).toBe('MESSAGE_NOT_FOUND')
    expect(await codeOf(call(asAlice, deleteMessage, { chainId, safeMessageHash }))).toBe('MESSAGE_NOT_FOUND')
    const { signature } = await signed(safeAddress, bob)
    expect(await codeOf(call(asBob, confirmMessage, { chainId, safeMessageHash, signature }))).toBe('MESSAGE_NOT_FOUND')
  })

  test('behavior: waits for a confirmation that is being written', async () => {
    const safeAddress = await addedSafe()
    const { safeMessageHash } = await propose(safeAddress)
    const { signature } = await signed(safeAddress, bob)
    const client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query(
      `insert into message_confirmation
         (chain_id, message_hash, owner, signature, signature_type, submission_date, verified_block)
       values ($1, decode($2, 'hex'), decode($3, 'hex'), decode($4, 'hex'), 'EOA', now(), 1)`,
      [chainId, ...[safeMessageHash, bob.address, signature].map((hex) => hex.slice(2))],
    )
    const deletion = codeOf(call(asAlice, deleteMessage, { chainId, safeMessageHash }))
    await eventually(async () => {
      const { rows } = await server.db.execute(sql`select from pg_locks where not granted`)
      return rows.length > 0
    })
    await client.query('commit')
    await client.end()
    expect(await deletion).toBe('MESSAGE_FULLY_SIGNED')
    expect((await call(asBob, getMessage, { chainId, safeMessageHash })).confirmations).toHaveLength(2)
  })

  test('error: MESSAGE_FULLY_SIGNED, whichever of two comes first', async () => {
    const safeAddress = await addedSafe()
    for (const n of [1, 2, 3]) {
      const content = `"race ${n}"`
      const { safeMessageHash } = await propose(safeAddress, content)
      const { signature } = await signed(safeAddress, bob, content)
      const outcomes = await Promise.all([
        codeOf(call(asBob, confirmMessage, { chainId, safeMessageHash, signature })),
        codeOf(call(asAlice, deleteMessage, { chainId, safeMessageHash })),
      ])
      expect([
        ['no error', 'MESSAGE_FULLY_SIGNED'],
        ['MESSAGE_NOT_FOUND', 'no error'],
      ]).toContainEqual(outcomes)
    }
    const { safeMessageHash } = await propose(safeAddress)
    const { signature } = await signed(safeAddress, bob)
    await call(asBob, confirmMessage, { chainId, safeMessageHash, signature })
    expect(await codeOf(call(asAlice, deleteMessage, { chainId, safeMessageHash }))).toBe('MESSAGE_FULLY_SIGNED')
  })
})

describe('live', () => {
  test('default: the team hears of it by its hash, a stranger who listed the Safe does not', async () => {
    const safeAddress = await addedSafe()
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    const listen = async (browser: Browser) => {
      const stopping = new AbortController()
      const response = await browser.fetch(`${server.origin}/api/events`, {
        headers: { origin: server.origin },
        signal: stopping.signal,
      })
      let heard = ''
      const read = async () => {
        const decoder = new TextDecoder()
        for await (const chunk of response.body ?? []) heard += decoder.decode(chunk)
      }
      read().catch(() => {})
      return { text: () => heard, stop: () => stopping.abort() }
    }
    const [owner, outsider] = await Promise.all([listen(asBob), listen(asStranger)])
    const { safeMessageHash } = await propose(safeAddress)
    await eventually(async () => owner.text().includes(`"safeMessageHash":"${safeMessageHash}"`))
    expect(owner.text()).not.toContain('Hello')
    expect(outsider.text()).not.toContain(safeMessageHash)
    owner.stop()
    outsider.stop()
  })
})
