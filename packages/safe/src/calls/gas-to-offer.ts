/** Gas that one transaction of Ethereum may have since Fusaka (EIP-7825): no node takes one that asks for more. */
export const MAX_TRANSACTION_GAS = 16_777_216n

/** A real signature costs more than an approval that the run took as given; a contract's may cost more still. */
const GAS_PER_SIGNATURE = 12_000n

/** Gas that `execTransaction` asks for beside `safeTxGas` (GS010): 500, and 2,500 where that is more than a 63rd. */
const GAS_BESIDE_CALL = 3_000n

/**
 * Gas to offer for an execution, by the most that its run held at a time: a fifth on top, because a call hands on 63/64 of
 * what is left, and room for signatures. The Safe refuses to go on with less than 64/63 of `safeTxGas` (GS010), whether its
 * call needs it or not; its proxy hands on 63/64 as well.
 *
 * @param most - what one transaction may have: more is never offered
 * @example
 * gasToOffer(run.gasPeak, { signatures: safe.threshold, safeTxGas: safeTx.safeTxGas })
 */
export function gasToOffer(
  gasPeak: bigint,
  { signatures, safeTxGas }: { signatures: number; safeTxGas: bigint },
  most?: bigint,
): bigint {
  const kept = safeTxGas === 0n ? 0n : before(before(safeTxGas) + GAS_BESIDE_CALL)
  const offered = (gasPeak * 6n) / 5n + kept + BigInt(signatures) * GAS_PER_SIGNATURE
  return most !== undefined && offered > most ? most : offered
}

/**
 * Gas that one transaction of a chain may have: as much as a block has room for, and no more than EIP-7825 allows.
 *
 * @example
 * mostGas({ gasLimit: 60_000_000n }) // 16_777_216n
 */
export function mostGas({ gasLimit }: { gasLimit: bigint }): bigint {
  return gasLimit < MAX_TRANSACTION_GAS ? gasLimit : MAX_TRANSACTION_GAS
}

/** Gas that has to be there, so that a call gets so much of it. */
function before(gas: bigint): bigint {
  return (gas * 64n) / 63n + 1n
}
