import type { BlockHeader } from '@countersign/review'
import type { EVMResult } from '@ethereumjs/evm'
import { type Address, type Hex, hexToBytes } from 'viem'
import { type Machine, machineAddress } from './machine.ts'

/** One transaction as an account sends it. */
export type Transaction = {
  from: Address
  to: Address
  data: Hex
  gas: bigint
  /** wei per unit of gas */
  gasPrice: bigint
}

const TRANSACTION_GAS = 21_000n
const ZERO_BYTE_GAS = 4n
const BYTE_GAS = 16n
/** EIP-7623, for each token: a zero byte is one, another four. */
const FLOOR_TOKEN_GAS = 10n

/**
 * Runs a transaction by the rules of the protocol around the EVM: gas is bought, used, given back; the block's producer
 * gets what is above the base fee.
 */
export async function runTransaction(
  machine: Machine,
  { from, to, data, gas, gasPrice }: Transaction,
  header: BlockHeader,
): Promise<{ result: EVMResult; gasUsed: bigint; gasPeak: bigint }> {
  const { journal, common } = machine
  const input = hexToBytes(data)
  const { intrinsic, floor } = gasOfData(input)
  const sender = from.toLowerCase() as Hex
  pay(machine, sender, -gas * gasPrice)
  warm(machine, [from, to], header)
  const result = await machine.runCall({
    block: machine.block,
    caller: machineAddress(from),
    to: machineAddress(to),
    data: input,
    gasLimit: gas - intrinsic,
    gasPrice,
  })
  const gasPeak = intrinsic + result.execResult.executionGasUsed
  const quotient = common.param('maxRefundQuotient')
  const refund = min(result.execResult.gasRefund ?? 0n, gasPeak / quotient)
  const isFloored = common.isActivatedEIP(7623)
  const gasUsed = isFloored ? max(gasPeak - refund, floor) : gasPeak - refund
  pay(machine, sender, (gas - gasUsed) * gasPrice)
  const tip = gasPrice - (header.baseFeePerGas ?? 0n)
  if (tip > 0n) pay(machine, header.coinbase.toLowerCase() as Hex, gasUsed * tip)
  await destroyAccounts(machine, result)
  journal.cleanJournal()
  return { result, gasUsed, gasPeak: isFloored ? max(gasPeak, floor) : gasPeak }
}

/** Deletes what destroyed itself. Since Cancun that is only what was created in the same transaction (EIP-6780). */
export async function destroyAccounts({ state, common }: Machine, { execResult }: EVMResult): Promise<void> {
  for (const address of destroyedIn(execResult, common.isActivatedEIP(6780)))
    await state.deleteAccount(machineAddress(address))
}

/** Accounts that the protocol deletes after this. */
export function destroyedIn(
  { selfdestruct, createdAddresses }: EVMResult['execResult'],
  isOnlyIfCreated: boolean,
): Hex[] {
  const all = [...(selfdestruct?.keys() ?? [])]
  return all.filter((address) => !isOnlyIfCreated || createdAddresses?.has(address))
}

/** Accounts that every transaction has paid for (EIP-2929, EIP-3651). */
function warm(
  { journal, common, precompiles }: Machine,
  accounts: readonly Address[],
  { coinbase }: BlockHeader,
): void {
  if (!common.isActivatedEIP(2929)) return
  for (const account of accounts) journal.addAlwaysWarmAddress(account.toLowerCase())
  for (const address of precompiles.keys()) journal.addAlwaysWarmAddress(address)
  if (common.isActivatedEIP(3651)) journal.addAlwaysWarmAddress(coinbase.toLowerCase())
}

function pay({ state }: Machine, address: Hex, amount: bigint): void {
  const account = state.read(address)
  if (account) state.write(address, { ...account, balance: account.balance + amount })
}

/** Gas for the bytes of a transaction, and the least that is charged. */
export function gasOfData(data: Uint8Array): { intrinsic: bigint; floor: bigint } {
  const zeros = BigInt(data.reduce((count, byte) => count + Number(byte === 0), 0))
  const others = BigInt(data.length) - zeros
  return {
    intrinsic: TRANSACTION_GAS + ZERO_BYTE_GAS * zeros + BYTE_GAS * others,
    floor: TRANSACTION_GAS + FLOOR_TOKEN_GAS * (zeros + 4n * others),
  }
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
