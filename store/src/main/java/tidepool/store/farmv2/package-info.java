/** The memory store of FaRMv2-DM: the newest value in the slot, older ones in a ring of blocks beside it, linked new to old. */
package tidepool.store.farmv2;
