// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A registry of names as ENS has one, which is its own resolver (ENSIP-1, ENSIP-3, ENSIP-9). Anybody may set anything.
contract NameRegistry {
    mapping(bytes32 node => address) public resolver;
    mapping(bytes32 node => address) private accounts;
    mapping(bytes32 node => mapping(uint256 coinType => bytes)) private ofCoin;
    mapping(bytes32 node => string) public name;

    constructor(bytes32 node, bytes32 reverseNode, address account, string memory itsName) {
        setAddr(node, account);
        setName(reverseNode, itsName);
    }

    function addr(bytes32 node) external view returns (address) {
        return accounts[node];
    }

    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory) {
        return ofCoin[node][coinType];
    }

    function setAddr(bytes32 node, address account) public {
        resolver[node] = address(this);
        accounts[node] = account;
    }

    function setAddrOf(bytes32 node, uint256 coinType, bytes calldata account) external {
        resolver[node] = address(this);
        ofCoin[node][coinType] = account;
    }

    function setName(bytes32 reverseNode, string memory itsName) public {
        resolver[reverseNode] = address(this);
        name[reverseNode] = itsName;
    }

    function setResolver(bytes32 node, address other) external {
        resolver[node] = other;
    }
}
