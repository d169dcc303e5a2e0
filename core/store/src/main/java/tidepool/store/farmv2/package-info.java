/**
 * The memory store of FaRMv2-DM: the newest value in the slot, older values in a ring of blocks outside it, each
 * version linked to the one before.
 */
package tidepool.store.farmv2;
