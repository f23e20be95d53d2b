/** A real signature costs more than an approval that the run took as given; a contract's may cost more still. */
const GAS_PER_SIGNATURE = 12_000n

/** Gas that `execTransaction` asks for beside `safeTxGas` (GS010): 500, and 2,500 where that is more than a 63rd. */
const GAS_BESIDE_CALL = 3_000n

/**
 * Gas to offer for an execution, by the most that its run held at a time: a fifth on top, because a call hands on 63/64 of
 * what is left, and room for signatures. The Safe refuses to go on with less than 64/63 of `safeTxGas` (GS010), whether its
 * call needs it or not; its proxy hands on 63/64 as well.
 *
 * @example
 * gasToOffer(run.gasPeak, { signatures: safe.threshold, safeTxGas: safeTx.safeTxGas })
 */
export function gasToOffer(
  gasPeak: bigint,
  { signatures, safeTxGas }: { signatures: number; safeTxGas: bigint },
): bigint {
  const kept = safeTxGas === 0n ? 0n : before(before(safeTxGas) + GAS_BESIDE_CALL)
  return (gasPeak * 6n) / 5n + kept + BigInt(signatures) * GAS_PER_SIGNATURE
}

/** Gas that has to be there, so that a call gets so much of it. */
function before(gas: bigint): bigint {
  return (gas * 64n) / 63n + 1n
}
