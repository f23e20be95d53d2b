// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A token that says of itself what it was made to say. Malicious on purpose.
contract HostileToken {
    uint8 public immutable manner;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 manner_) {
        manner = manner_;
    }

    /// It tells of a transfer that nobody made.
    function pretend(address to, uint256 value) external {
        emit Transfer(address(0), to, value);
    }

    fallback() external {
        bytes4 selector = msg.sig;
        uint8 how = manner;
        bool isBalance = selector == 0x70a08231;
        bool isText = selector == 0x95d89b41 || selector == 0x06fdde03;
        // 0: a name that reorders what stands beside it, and imitates. 1: a name of a megabyte. 2: 255 decimals.
        // 3: the text of old tokens, in one word. 4: reverts with a megabyte. 5: burns all gas. 6: a length beyond bounds.
        // 7: a balance in two words.
        if (how == 4) {
            assembly {
                revert(0, 1048576)
            }
        }
        if (how == 5) {
            assembly {
                invalid()
            }
        }
        if (isBalance) {
            assembly {
                mstore(0, 5000000)
                return(0, add(32, mul(32, eq(how, 7))))
            }
        }
        if (selector == 0x313ce567) {
            assembly {
                mstore(0, 6)
                if eq(how, 2) { mstore(0, 255) }
                return(0, 32)
            }
        }
        if (isText) {
            if (how == 0) {
                bytes memory symbol = hex"d0a2555344"; // The first letter is Cyrillic.
                bytes memory name = hex"e280ae72616c6c6f4420747365540a07e2808bfe"; // Right to left, a bell, no UTF-8.
                bytes memory text = abi.encode(selector == 0x95d89b41 ? symbol : name);
                assembly {
                    return(add(text, 32), mload(text))
                }
            }
            if (how == 3) {
                assembly {
                    mstore(0, "MKR")
                    return(0, 32)
                }
            }
            assembly {
                mstore(0, 32)
                mstore(32, 4)
                mstore(64, "ODD!")
                if eq(how, 6) { mstore(32, not(0)) }
                if eq(how, 1) {
                    mstore(32, 1048576)
                    mstore(64, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
                    return(0, 1048640)
                }
                return(0, 96)
            }
        }
        revert();
    }
}
