/**
 * The memory node: regions of bytes, sessions that may touch them, extents handed out of them, handlers and chained
 * work. It knows bytes only; what they mean is the business of the rooms above.
 *
 * <p>All state lies in memory that a {@link tidepool.memory.RegionStore} provides, so the same code is the node inside
 * one process, the node that several processes share through mapped files, and the node of the simulator.
 */
package tidepool.memory;
