import { canonicalContract, type Devnet, deploySafe, startDevnet } from '@countersign/devnet'
import { team } from '@countersign/e2e'
import { encodeSignatures, hashSafeTx, newSafeTx, type SafeTx, safeAbi } from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import secp256k1 from 'secp256k1'
import { type Address, encodeFunctionData, getAddress, type Hex, hexToBytes, numberToHex, parseAbi, toHex } from 'viem'
import { requestAll, requestOne } from './json-rpc.ts'

const VERSION = '1.4.1'
const owners = [team.anna, team.bruno, team.stranger]
/** Two of the three, by whom everything is signed. */
const signers = [team.anna, team.bruno]
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'
const LARGE = 10n ** 30n
const tokenAbi = parseAbi(['function mint(address to, uint256 value)', 'function transfer(address to, uint256 value)'])

/** Logs of every block; every tracked Safe has a part in it in turn. */
export const logsPerBlock = 50
export const mixOfLogs =
  'in each block 50 logs of 18 Ethereum transactions: 2 batches of 10 ERC-20 transfers from Safe to Safe, 3 single ones, 1 payment of native coin, 1 batch that adds and removes an owner (each signed by 2 of 3 owners, on SafeL2 1.4.1), 10 ERC-20 mints to Safes, 1 receipt of native coin'

export type BusyChain = {
  rpcUrl: string
  chainId: number
  token: Address
  safes: readonly Address[]
  /** Mines so many blocks of the mix. @returns the number of the last one. */
  mine(blocks: number): Promise<number>
  /** Mines blocks without anything in them. */
  mineEmpty(blocks: number): Promise<number>
  /** Mines a block with a transfer to one of the Safes among others that are none of theirs. @returns its number */
  mineTransfers(others: number): Promise<number>
  /** Pays native coin, in a block of its own. */
  pay(to: Address, wei: bigint): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A local node with real Safes that have a lot to do. */
export async function startBusyChain(safeCount: number): Promise<BusyChain> {
  const devnet = await startDevnet({ port: 0 })
  const { rpcUrl, chainId } = devnet
  const token = devnet.tokens.erc20
  const safes: Address[] = []
  for (let at = 0; at < safeCount; at += 1)
    safes.push(
      await deploySafe({
        rpcUrl,
        chainId,
        version: VERSION,
        owners: owners.map(({ address }) => address),
        threshold: 2,
        saltNonce: BigInt(at),
      }),
    )
  const sender = await createSender(devnet)
  await sender.mine(safes.flatMap((to) => [{ to, value: LARGE }, mintTo(token, to, LARGE)]))
  const crew = createCrew({ chainId, token, safes })
  return {
    rpcUrl,
    chainId,
    token,
    safes,
    async mine(blocks) {
      for (let block = 0; block < blocks; block += 1) await sender.mine(crew.nextBlock())
      return Number(await requestOne(rpcUrl, 'eth_blockNumber'))
    },
    async mineEmpty(blocks) {
      await requestOne(rpcUrl, 'anvil_mine', numberToHex(blocks))
      return Number(await requestOne(rpcUrl, 'eth_blockNumber'))
    },
    async mineTransfers(others) {
      const strangers = Array.from({ length: others }, (_, at) =>
        getAddress(numberToHex(10n ** 46n + BigInt(at), { size: 20 })),
      )
      const safe = safes[Math.floor(Math.random() * safes.length)] ?? token
      await sender.mine([safe, ...strangers].map((to) => mintTo(token, to, 1n)))
      return Number(await requestOne(rpcUrl, 'eth_blockNumber'))
    },
    async pay(to, value) {
      await sender.mine([{ to, value }])
    },
    [Symbol.asyncDispose]: () => devnet.close(),
  }
}

type Send = { to: Address; data?: Hex; value?: bigint; gas?: bigint }

/** Sends from one account, for which the node signs, a block at a time. */
async function createSender({ rpcUrl }: Devnet) {
  const from = team.relayer.address
  await requestOne(rpcUrl, 'anvil_setBalance', from, numberToHex(LARGE * LARGE))
  await requestOne(rpcUrl, 'anvil_impersonateAccount', from)
  await requestOne(rpcUrl, 'evm_setAutomine', false)
  let nonce = Number(await requestOne(rpcUrl, 'eth_getTransactionCount', from, 'latest'))
  return {
    async mine(sends: readonly Send[]): Promise<void> {
      await requestAll(
        rpcUrl,
        sends.map(({ to, data = '0x', value = 0n, gas = 100_000n }) => ({
          method: 'eth_sendTransaction',
          params: [{ from, to, data, value: numberToHex(value), gas: numberToHex(gas), nonce: numberToHex(nonce++) }],
        })),
      )
      await requestOne(rpcUrl, 'evm_mine')
    },
  }
}

function mintTo(token: Address, to: Address, value: bigint): Send {
  return { to: token, data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, value] }) }
}

/** Acts for the Safes, block after block. */
function createCrew({ chainId, token, safes }: { chainId: number; token: Address; safes: readonly Address[] }) {
  const nonces = new Map<Address, bigint>()
  let turn = 0
  let newcomer = 0n

  function next(): Address {
    turn += 1
    return safes[turn % safes.length] ?? token
  }

  function transfer(): { to: Address; data: Hex } {
    const args = [next(), 1n + BigInt(turn)] as const
    return { to: token, data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args }) }
  }

  function execute(safeAddress: Address, fields: Partial<SafeTx> & Pick<SafeTx, 'to'>, gas: bigint): Send {
    const nonce = nonces.get(safeAddress) ?? 0n
    nonces.set(safeAddress, nonce + 1n)
    const safeTx = newSafeTx({ ...fields, nonce })
    const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version: VERSION, safeTx })
    const confirmations = signers.map(({ address, privateKey }) => ({
      owner: address,
      signature: sign(safeTxHash, privateKey),
    }))
    return { to: safeAddress, data: encodeExecTransaction(safeTx, encodeSignatures(confirmations)), gas }
  }

  function batch(calls: readonly { to: Address; data: Hex }[]): Partial<SafeTx> & Pick<SafeTx, 'to'> {
    const { address } = canonicalContract(VERSION, 'multi_send_call_only')
    return { to: address, data: encodeMultiSend(calls.map((call) => ({ ...call, value: 0n }))), operation: 1 }
  }

  function settings(safe: Address): { to: Address; data: Hex }[] {
    newcomer += 1n
    const owner = getAddress(numberToHex(10n ** 40n + newcomer, { size: 20 }))
    return [
      {
        to: safe,
        data: encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args: [owner, 2n] }),
      },
      {
        to: safe,
        data: encodeFunctionData({ abi: safeAbi, functionName: 'removeOwner', args: [SENTINEL, owner, 2n] }),
      },
    ]
  }

  return {
    nextBlock(): Send[] {
      const sends: Send[] = []
      for (let at = 0; at < 2; at += 1)
        sends.push(execute(next(), batch(Array.from({ length: 10 }, transfer)), 1_000_000n))
      for (let at = 0; at < 3; at += 1) sends.push(execute(next(), transfer(), 250_000n))
      sends.push(execute(next(), { to: team.relayer.address, value: 1n }, 250_000n))
      const owned = next()
      sends.push(execute(owned, batch(settings(owned)), 500_000n))
      for (let at = 0; at < 10; at += 1) sends.push(mintTo(token, next(), 1n + BigInt(turn)))
      sends.push({ to: next(), value: 1n })
      return sends
    },
  }
}

function sign(hash: Hex, key: Hex): Hex {
  const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(hash), hexToBytes(key))
  return `${toHex(signature)}${(27 + recid).toString(16)}`
}
