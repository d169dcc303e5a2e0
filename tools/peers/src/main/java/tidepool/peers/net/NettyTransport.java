package tidepool.peers.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import tidepool.bench.net.Ping;
import tidepool.bench.net.Pong;
import tidepool.bench.net.RawTransport;

/** Netty with one event loop at each end. All work is done on the loop, with its pooled buffers. */
public abstract class NettyTransport implements RawTransport {
    /** Polls instead of sleeping. The NIO loop cannot: it takes a selector that never sleeps for broken. */
    private static final SelectStrategyFactory SPINNING = () -> (ready, hasTasks) -> SelectStrategy.BUSY_WAIT;

    /** NIO transport, sleeping in the selector. */
    public static final class Nio extends NettyTransport {
        public Nio() {
            super(false, DefaultSelectStrategyFactory.INSTANCE);
        }
    }

    /** Native epoll transport, sleeping. */
    public static final class Epoll extends NettyTransport {
        public Epoll() {
            super(true, DefaultSelectStrategyFactory.INSTANCE);
        }
    }

    /** Native epoll transport, spinning. */
    public static final class EpollSpin extends NettyTransport {
        public EpollSpin() {
            super(true, SPINNING);
        }
    }

    private final boolean isNative;
    private final EventLoopGroup loop;

    NettyTransport(boolean isNative, SelectStrategyFactory strategy) {
        DefaultThreadFactory threads = new DefaultThreadFactory("netty", true);
        this.isNative = isNative;
        this.loop = isNative
                ? new EpollEventLoopGroup(1, threads, strategy)
                : new NioEventLoopGroup(1, threads, SelectorProvider.provider(), strategy);
    }

    @Override
    public Pong listen() {
        Class<? extends ServerChannel> type = isNative ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        Channel server = new ServerBootstrap()
                .group(loop)
                .channel(type)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new NettyPong.Handler());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        return new NettyPong(server, loop);
    }

    @Override
    public Ping connect(int port) {
        NettyPing ping = new NettyPing(loop);
        Class<? extends Channel> type = isNative ? EpollSocketChannel.class : NioSocketChannel.class;
        new Bootstrap()
                .group(loop)
                .channel(type)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler((ChannelHandler) ping.handler())
                .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .syncUninterruptibly();
        return ping;
    }
}
