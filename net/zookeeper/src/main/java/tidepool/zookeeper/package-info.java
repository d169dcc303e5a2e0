/** Rosters in ZooKeeper: the members of a pool, registered nodes, and the liveness of both. */
package tidepool.zookeeper;
