// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// ERC-721 whose items say of themselves what anybody told them to; `uri` says the same, as ERC-1155 does.
contract TestArt {
    string public constant name = "Test Drawings";
    string public constant symbol = "DRAW";
    mapping(uint256 tokenId => address) public ownerOf;
    mapping(uint256 tokenId => string) public tokenURI;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function mint(address to, uint256 tokenId, string calldata text) external {
        emit Transfer(ownerOf[tokenId], to, tokenId);
        ownerOf[tokenId] = to;
        tokenURI[tokenId] = text;
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == from && msg.sender == from);
        ownerOf[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == from && msg.sender == from);
        ownerOf[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function uri(uint256 id) external view returns (string memory) {
        return tokenURI[id];
    }
}
