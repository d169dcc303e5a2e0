/** Rosters in ZooKeeper: who is in a pool, who may be, and how nodes say that they are there. */
package tidepool.cluster;
