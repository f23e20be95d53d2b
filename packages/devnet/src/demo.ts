import { encodeSignatures, hashSafeTx, newSafeTx, type SafeTx, safeTxTypedData } from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, hexToBigInt, parseAbi, parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type DemoAccount, demoAccounts } from './accounts.ts'
import { canonicalContract } from './canonical-contracts.ts'
import { deploySafe, safeAddressOf } from './deploy-safe.ts'
import { requestNode, type Send, sendAll } from './node-client.ts'
import { testContracts } from './test-contracts.ts'

const [alice, bob, carol, stranger, supplier, designer, auditor, hotWallet] = demoAccounts
const version = '1.4.1'
const tokenAbi = parseAbi(['function mint(address to, uint256 value)', 'function transfer(address to, uint256 value)'])

const demoSafeSetup = {
  version,
  l2: true,
  owners: [alice.address, bob.address, carol.address],
  threshold: 2,
  saltNonce: 0n,
} as const

/** The owners' decisions so far, in the order of their nonces from 0 on. */
const history: readonly { safeTx: SafeTx; confirmedBy: readonly DemoAccount[]; executedBy: DemoAccount }[] = [
  {
    safeTx: newSafeTx({ to: supplier.address, value: parseEther('0.5'), nonce: 0n }),
    confirmedBy: [alice, bob],
    executedBy: bob,
  },
  {
    safeTx: newSafeTx({ ...tokenTransfer(designer.address, '2000'), nonce: 1n }),
    confirmedBy: [bob, carol],
    executedBy: carol,
  },
  {
    safeTx: newSafeTx({
      to: canonicalContract(version, 'multi_send_call_only').address,
      data: encodeMultiSend([
        { to: supplier.address, value: parseEther('0.25'), data: '0x', operation: 0 },
        { ...tokenTransfer(designer.address, '800'), value: 0n, operation: 0 },
        { ...tokenTransfer(auditor.address, '1500'), value: 0n, operation: 0 },
      ]),
      operation: 1,
      nonce: 2n,
    }),
    confirmedBy: [alice, carol],
    executedBy: alice,
  },
]

/** The facts of the demo that programs and tests rely on. */
export const demoScenario = {
  safeAddress: safeAddressOf(demoSafeSetup),
  version,
  owners: [alice, bob, carol],
  threshold: demoSafeSetup.threshold,
  stranger,
  /** How many transactions are executed before the queue begins; the nonce of the first in the queue. */
  historyLength: history.length,
  /** Balances once the history is executed. */
  balance: parseEther('10') - parseEther('0.75'),
  tokenBalance: parseUnits('50000', 6) - parseUnits('4300', 6),
} as const

export type DemoProposal = { safeTx: SafeTx; safeTxHash: Hex; proposer: DemoAccount; origin: string; signature: Hex }

/** The harmless transaction and the malicious one, in the order of their nonces, signed by their proposers. */
export async function demoQueue(chainId: number): Promise<{ harmless: DemoProposal; malicious: DemoProposal }> {
  const harmless = newSafeTx({ ...tokenTransfer(designer.address, '1250'), nonce: BigInt(history.length) })
  const malicious = newSafeTx({
    to: testContracts.slotZeroOverwrite.address,
    // Reads as a token transfer; as a delegatecall it makes its receiver the Safe's singleton.
    data: tokenTransfer(hotWallet.address, '1250').data,
    operation: 1,
    nonce: BigInt(history.length + 1),
  })
  return {
    harmless: await propose(chainId, harmless, bob, 'Invoice 1042, design work'),
    malicious: await propose(chainId, malicious, carol, 'Weekly transfer to hot wallet'),
  }
}

async function propose(chainId: number, safeTx: SafeTx, proposer: DemoAccount, origin: string): Promise<DemoProposal> {
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress: demoScenario.safeAddress, version, safeTx })
  return { safeTx, safeTxHash, proposer, origin, signature: await signDemoTx(chainId, safeTx, proposer) }
}

/** Signs a transaction of the demo Safe as one of its owners. */
export function signDemoTx(chainId: number, safeTx: SafeTx, { privateKey }: DemoAccount): Promise<Hex> {
  return privateKeyToAccount(privateKey).signTypedData(
    safeTxTypedData({ chainId, safeAddress: demoScenario.safeAddress, version, safeTx }),
  )
}

/** The call that executes a transaction of the demo Safe with the signatures of these owners. */
export async function demoExecution(chainId: number, safeTx: SafeTx, owners: readonly DemoAccount[]): Promise<Send> {
  const confirmations = await Promise.all(
    owners.map(async (owner) => ({
      owner: owner.address,
      signature: await signDemoTx(chainId, safeTx, owner),
    })),
  )
  const data = encodeExecTransaction(safeTx, encodeSignatures(confirmations))
  return { to: demoScenario.safeAddress, data, gas: 500_000n }
}

/** Creates, funds and uses the demo Safe; goes on where an earlier start was interrupted. */
export async function buildDemo(rpcUrl: string, chainId: number, sender: Address): Promise<void> {
  if ((await readSlot(rpcUrl, 0)) === 0n) {
    const safeAddress = await deploySafe({ rpcUrl, chainId, sender, ...demoSafeSetup })
    await sendAll(rpcUrl, sender, [
      { to: safeAddress, value: parseEther('10'), gas: 100_000n },
      mint(safeAddress, '50000'),
      // For whoever wants to give tokens to a Safe of their own.
      mint(alice.address, '100000'),
    ])
  }
  for (const { safeTx, confirmedBy, executedBy } of history.slice(Number(await readDemoNonce(rpcUrl))))
    await sendAll(rpcUrl, executedBy.address, [await demoExecution(chainId, safeTx, confirmedBy)])
}

/** Read from storage, since a Safe whose singleton was overwritten answers no call any more. */
export async function readDemoNonce(rpcUrl: string): Promise<bigint> {
  return readSlot(rpcUrl, 5)
}

/** Whether the malicious transaction was executed: then the demo Safe is lost, as it would be on a real chain. */
export async function isDemoSafeLost(rpcUrl: string): Promise<boolean> {
  return (await readSlot(rpcUrl, 0)) !== BigInt(canonicalContract(version, 'safe_l2').address)
}

async function readSlot(rpcUrl: string, slot: number): Promise<bigint> {
  const word = await requestNode(rpcUrl, 'eth_getStorageAt', demoScenario.safeAddress, `0x${slot}`, 'latest')
  return hexToBigInt(word as Hex)
}

function tokenTransfer(to: Address, amount: string): { to: Address; data: Hex } {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, parseUnits(amount, 6)] })
  return { to: testContracts.erc20.address, data }
}

function mint(to: Address, amount: string): Send {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, parseUnits(amount, 6)] })
  return { to: testContracts.erc20.address, data, gas: 200_000n }
}
