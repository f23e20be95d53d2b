// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Answers whatever it is asked in the way it was made for. Malicious on purpose.
contract HostileAccount {
    bytes4 private constant MAGIC = 0x1626ba7e;

    uint8 public immutable manner;

    /// For the manner 8 alone.
    bool public isOpen;

    constructor(uint8 manner_) {
        manner = manner_;
    }

    /// What a signature that brings a "factory call" of its own would like to have called first.
    function open() external {
        isOpen = true;
    }

    fallback() external {
        uint8 how = manner;
        bool opened = isOpen;
        bytes4 magic = MAGIC;
        assembly {
            // 0: reverts with a megabyte. 1: answers the magic in a megabyte.
            if lt(how, 2) {
                mstore(0, magic)
                if how { return(0, 1048576) }
                revert(0, 1048576)
            }
            // 2: burns all gas by looping. 3: at once.
            if eq(how, 2) { for {} 1 {} {} }
            if eq(how, 3) { invalid() }
            // 4: the magic in four bytes. 5: in two words. 6: with something behind it.
            mstore(0, magic)
            if eq(how, 4) { return(0, 4) }
            if eq(how, 5) { return(0, 64) }
            if eq(how, 6) {
                mstore(0, or(magic, 1))
                return(0, 32)
            }
            // 7: echoes the question.
            if eq(how, 7) {
                calldatacopy(0, 0, calldatasize())
                return(0, calldatasize())
            }
            // 8: yes, once it was opened.
            if and(eq(how, 8), opened) { return(0, 32) }
            return(0, 0)
        }
    }
}
