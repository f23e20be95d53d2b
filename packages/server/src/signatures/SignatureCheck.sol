// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Asks an account whether a signature is its own. It is never put on a chain: the server sends its creation code with
/// eth_call, and the constructor answers two words, verdict and chain id.
///
/// Whatever the account or the factory does stays within `gasLimit`, and no more than 32 bytes of its answer are copied.
contract SignatureCheck {
    uint256 private constant NO_CONTRACT = 0;
    uint256 private constant VALID = 1;
    uint256 private constant REFUSED = 2;

    constructor(
        address account,
        bytes32 hash,
        bytes memory signature,
        address factory,
        bytes memory factoryData,
        uint256 gasLimit
    ) {
        // ERC-6492. An account that is there already is asked as it stands: see docs/adr/0014.
        if (account.code.length == 0 && factory != address(0)) {
            assembly ("memory-safe") {
                pop(call(gasLimit, factory, 0, add(factoryData, 32), mload(factoryData), 0, 0))
            }
        }
        uint256 verdict = NO_CONTRACT;
        if (account.code.length != 0) {
            // ERC-1271, then its first draft, which Safes before 1.3.0 answer.
            bytes memory current = abi.encodeWithSelector(0x1626ba7e, hash, signature);
            bytes memory legacy = abi.encodeWithSelector(0x20c13b0b, abi.encode(hash), signature);
            verdict = says(account, current, 0x1626ba7e, gasLimit) || says(account, legacy, 0x20c13b0b, gasLimit)
                ? VALID
                : REFUSED;
        }
        assembly ("memory-safe") {
            mstore(0, verdict)
            mstore(32, chainid())
            return(0, 64)
        }
    }

    /// Exactly one word, exactly the magic value: a contract that echoes its calldata answers the draft's magic too, in
    /// the first of many words.
    function says(address account, bytes memory question, bytes4 magic, uint256 gasLimit)
        private
        view
        returns (bool isYes)
    {
        assembly ("memory-safe") {
            mstore(0, 0)
            let isDone := staticcall(gasLimit, account, add(question, 32), mload(question), 0, 32)
            isYes := and(and(isDone, eq(returndatasize(), 32)), eq(mload(0), magic))
        }
    }
}
