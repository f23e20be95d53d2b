// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Asks many contracts at one block. It is never put on a chain: the page sends its creation code with eth_call, and the
/// constructor answers, behind one byte, for each question: how it went, the length of the answer, the answer.
///
/// No contract can take more gas than its own `gasLimit` or bring more than `maxBytes`: none spoils what others say.
contract BoundedReads {
    struct Question {
        address target;
        uint256 gasLimit;
        uint256 maxBytes;
        bytes data;
    }

    constructor(Question[] memory questions) {
        uint256 start;
        assembly {
            start := mload(0x40)
            // Code must not begin with 0xef, and what a constructor answers is taken for code.
            mstore8(start, 1)
        }
        uint256 end = start + 1;
        for (uint256 i = 0; i < questions.length; i++) {
            Question memory question = questions[i];
            address target = question.target;
            uint256 gasLimit = question.gasLimit;
            uint256 maxBytes = question.maxBytes;
            bytes memory data = question.data;
            // Else a call would get less than its limit, and fail for a reason that is not its own.
            uint256 available = gasleft();
            if (available < gasLimit + gasLimit / 32 + 30000) {
                assembly {
                    revert(0, 0)
                }
            }
            assembly {
                // 0: failed. 1: answered. 2: no contract.
                let how := 2
                let length := 0
                if extcodesize(target) {
                    how := staticcall(gasLimit, target, add(data, 32), mload(data), 0, 0)
                    if how {
                        length := returndatasize()
                        if gt(length, maxBytes) { length := maxBytes }
                    }
                }
                mstore8(end, how)
                mstore8(add(end, 1), shr(8, length))
                mstore8(add(end, 2), length)
                returndatacopy(add(end, 3), 0, length)
                end := add(add(end, 3), length)
            }
        }
        assembly {
            return(start, sub(end, start))
        }
    }
}
