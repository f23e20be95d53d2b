import { type RpcRequest, readSafeState } from '@countersign/safe'
import { createPublicClient, getAddress, hashMessage, http, keccak256, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { canonicalContract, safeVersions } from './canonical-contracts.ts'
import { deploySafe } from './deploy-safe.ts'
import { readCodes, requestNode } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { deployContractAccount } from './test-contracts.ts'

const owners = [demoAccounts[4].address, demoAccounts[5].address, demoAccounts[6].address]
let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
})
afterAll(() => devnet?.close())

describe('deploySafe', () => {
  for (const version of safeVersions)
    for (const l2 of [true, false])
      test(`default: version ${version}${l2 ? '+L2' : ''}`, async () => {
        const safe = {
          rpcUrl: devnet.rpcUrl,
          chainId: devnet.chainId,
          version,
          l2,
          owners,
          threshold: 2,
          saltNonce: 7n,
        }
        const address = await deploySafe(safe)
        const state = await readSafeState(
          ({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params),
          address,
          devnet.chainId,
        )
        const name = version === '1.3.0' ? 'gnosis_safe' : 'safe'
        expect(state).toMatchObject({
          threshold: 2,
          nonce: 0n,
          isOfficialProxy: true,
          version: l2 ? `${version}+L2` : version,
          reportedVersion: version,
          singleton: getAddress(canonicalContract(version, l2 ? `${name}_l2` : name).address),
          fallbackHandler: getAddress(canonicalContract(version, 'compatibility_fallback_handler').address),
        })
        expect(new Set(state.owners)).toEqual(new Set(owners))
      })

  test('behavior: another contract in the place of the proxy is told, whatever it answers', async () => {
    const { rpcUrl, chainId } = devnet
    const safe = { rpcUrl, chainId, version: '1.4.1', owners, threshold: 2, saltNonce: 8n } as const
    const address = await deploySafe(safe)
    const [code] = await readCodes(rpcUrl, [address])
    // Bytes after the last instruction: it does the same, and is not the official proxy.
    await requestNode(rpcUrl, 'anvil_setCode', address, `${code}00`)
    const request: RpcRequest = ({ method, params = [] }) => requestNode(rpcUrl, method, ...params)
    expect(await readSafeState(request, address, chainId)).toMatchObject({
      isOfficialProxy: false,
      proxyCodeHash: keccak256(`0x${code?.slice(2)}00`),
      version: '1.4.1+L2',
    })
    await requestNode(rpcUrl, 'anvil_setCode', address, code)
  })

  test('behavior: the same arguments give the same Safe, at once and again', async () => {
    const safe = {
      rpcUrl: devnet.rpcUrl,
      chainId: devnet.chainId,
      version: '1.4.1',
      owners,
      threshold: 1,
      saltNonce: 9n,
    } as const
    const first = await deploySafe(safe)
    expect(await deploySafe(safe)).toBe(first)
    const others = await Promise.all([10n, 11n, 12n].map((saltNonce) => deploySafe({ ...safe, saltNonce })))
    expect(new Set([first, ...others]).size).toBe(4)
  })
})

describe('deployContractAccount', () => {
  test("behavior: accepts its owner's signature and no other", async () => {
    const [sender, owner, stranger] = demoAccounts
    const address = await deployContractAccount(devnet.rpcUrl, sender.address, owner.address)
    const client = createPublicClient({ transport: http(devnet.rpcUrl) })
    const ask = async (privateKey: `0x${string}`) =>
      client.readContract({
        address,
        abi: parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']),
        functionName: 'isValidSignature',
        args: [hashMessage('hello'), await privateKeyToAccount(privateKey).signMessage({ message: 'hello' })],
      })
    expect(await ask(owner.privateKey)).toBe('0x1626ba7e')
    expect(await ask(stranger.privateKey)).toBe('0xffffffff')
  })
})
