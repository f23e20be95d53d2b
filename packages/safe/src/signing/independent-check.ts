import { isVersionBefore } from '../safe/safe-version.ts'
import { domainTypeHash, type SafeTxContext, safeTxTypeHash } from './safe-tx.ts'

/** A command for a shell with Foundry's `cast`, and the hash that it prints. `DATA`, `DOMAIN`, `MESSAGE` are variables. */
export type IndependentCommand = { prints: 'dataHash' | 'domainHash' | 'messageHash' | 'safeTxHash'; command: string }

/**
 * Commands that compute the hashes of a transaction without any code of this package, from values that a person types
 * off a sheet. Only `data` is left to a variable: it may be long.
 *
 * @example
 * for (const { prints, command } of independentCommands(context)) print(`${prints}: ${command}`)
 */
export function independentCommands({ chainId, safeAddress, version, safeTx }: SafeTxContext): IndependentCommand[] {
  const [domainTypes, domainValues] = isVersionBefore(version, 1, 3)
    ? ['bytes32,address', safeAddress]
    : ['bytes32,uint256,address', `${chainId} ${safeAddress}`]
  const { to, value, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = safeTx
  const fields = [
    safeTxTypeHash(version),
    to,
    value,
    '$DATA',
    operation,
    safeTxGas,
    baseGas,
    gasPrice,
    gasToken,
    refundReceiver,
    nonce,
  ]
  const types = 'bytes32,address,uint256,bytes32,uint8,uint256,uint256,uint256,address,address,uint256'
  return [
    { prints: 'dataHash', command: 'DATA=$(cast keccak "$(cat data.txt)"); echo $DATA' },
    {
      prints: 'domainHash',
      command: `DOMAIN=$(cast keccak $(cast abi-encode "f(${domainTypes})" ${domainTypeHash(version)} ${domainValues})); echo $DOMAIN`,
    },
    {
      prints: 'messageHash',
      command: `MESSAGE=$(cast keccak $(cast abi-encode "f(${types})" ${fields.join(' ')})); echo $MESSAGE`,
    },
    { prints: 'safeTxHash', command: 'cast keccak $(cast concat-hex 0x1901 $DOMAIN $MESSAGE)' },
  ]
}
