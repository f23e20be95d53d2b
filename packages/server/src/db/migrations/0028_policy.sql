CREATE TABLE "policy_approval" (
	"chain_id" bigint NOT NULL,
	"policy_hash" "bytea" NOT NULL,
	"owner" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"signed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "policy_approval_chain_id_policy_hash_owner_pk" PRIMARY KEY("chain_id","policy_hash","owner")
);
--> statement-breakpoint
CREATE TABLE "policy_version" (
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"number" integer NOT NULL,
	"policy_hash" "bytea" NOT NULL,
	"policy" text NOT NULL,
	"proposer" "bytea" NOT NULL,
	"proposed_at" timestamp with time zone NOT NULL,
	"in_force_since" timestamp with time zone,
	CONSTRAINT "policy_version_chain_id_safe_address_number_pk" PRIMARY KEY("chain_id","safe_address","number"),
	CONSTRAINT "policy_version_hash" UNIQUE("chain_id","policy_hash")
);
--> statement-breakpoint
CREATE TABLE "policy_withdrawal" (
	"chain_id" bigint NOT NULL,
	"policy_hash" "bytea" NOT NULL,
	"owner" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"signed_at" timestamp with time zone NOT NULL,
	"entry_hash" "bytea" NOT NULL,
	CONSTRAINT "policy_withdrawal_chain_id_policy_hash_entry_hash_owner_pk" PRIMARY KEY("chain_id","policy_hash","entry_hash","owner")
);
--> statement-breakpoint
ALTER TABLE "policy_approval" ADD CONSTRAINT "policy_approval_chain_id_policy_hash_policy_version_chain_id_policy_hash_fk" FOREIGN KEY ("chain_id","policy_hash") REFERENCES "public"."policy_version"("chain_id","policy_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policy_withdrawal" ADD CONSTRAINT "policy_withdrawal_chain_id_policy_hash_policy_version_chain_id_policy_hash_fk" FOREIGN KEY ("chain_id","policy_hash") REFERENCES "public"."policy_version"("chain_id","policy_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "history_entry_spent" ON "history_entry" USING btree ("chain_id","safe_address","token","block_time") WHERE "history_entry"."kind" = 'transfer-out';