ALTER TABLE "address_book_entry" DROP CONSTRAINT "address_book_entry_chain_id_safe_address_address_pk";--> statement-breakpoint
ALTER TABLE "given_abi" DROP CONSTRAINT "given_abi_chain_id_safe_address_contract_pk";--> statement-breakpoint
ALTER TABLE "address_book_entry" ADD CONSTRAINT "address_book_entry_chain_id_safe_address_address_author_pk" PRIMARY KEY("chain_id","safe_address","address","author");--> statement-breakpoint
ALTER TABLE "given_abi" ADD CONSTRAINT "given_abi_chain_id_safe_address_contract_author_pk" PRIMARY KEY("chain_id","safe_address","contract","author");