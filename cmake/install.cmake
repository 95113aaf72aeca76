# What `cmake --install` puts where: program, manual pages, unit, examples, dashboard and alerts, completions. Nothing goes to /etc or
# /var: the packages and the administrator own those.
include(GNUInstallDirs)
set(CRAWLD_UNIT_DIR lib/systemd/system CACHE STRING "Where the unit goes, below the prefix")
set(CRAWLD_SYSUSERS_DIR lib/sysusers.d CACHE STRING "Where the sysusers.d(5) file goes, below the prefix")

install(TARGETS crawld)
foreach(section 5 8)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/deploy/man/*.${section})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
install(FILES deploy/crawld.sysusers DESTINATION ${CRAWLD_SYSUSERS_DIR} RENAME crawld.conf)

install(FILES README.md SECURITY.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES deploy/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME runbook.md)
install(FILES config/crawld.yaml deploy/site-owners.md deploy/site-owners.html DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES deploy/egress.conf DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY deploy/grafana deploy/prometheus DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# What depends on the prefix is made when that is known for good, which `cmake --install --prefix` decides: the unit, which names the
# program, and the completions, which the program writes itself. One for another machine cannot be asked: then there are none.
install(CODE "
  file(READ \"${PROJECT_SOURCE_DIR}/deploy/crawld.service\" unit)
  string(REPLACE /usr/bin/crawld \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/crawld\" unit \"\${unit}\")
  set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CRAWLD_UNIT_DIR}/crawld.service\")
  message(STATUS \"Installing: \${file}\")
  file(WRITE \"\${file}\" \"\${unit}\")")
foreach(completion bash:bash-completion/completions/crawld zsh:zsh/site-functions/_crawld
                   fish:fish/vendor_completions.d/crawld.fish)
  string(REGEX MATCH "^[a-z]+" shell ${completion})
  string(REGEX REPLACE "^[a-z]+:" "" name ${completion})
  install(CODE "
    set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/${name}\")
    execute_process(COMMAND \"$<TARGET_FILE:crawld>\" completion ${shell}
                    OUTPUT_VARIABLE words ERROR_QUIET RESULT_VARIABLE status)
    if(status EQUAL 0)
      message(STATUS \"Installing: \${file}\")
      file(WRITE \"\${file}\" \"\${words}\")
    else()
      message(WARNING \"no completion for ${shell}: `crawld completion ${shell}` ended with \${status}\")
    endif()")
endforeach()
